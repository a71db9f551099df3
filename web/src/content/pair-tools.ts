import type { Message, Part, ToolCall } from './message.ts';
import type { StepCounter } from './steps.ts';

/**
 * Numbers the tool calls of a conversation and moves each result to the call that it answers. Removes messages that contained only such
 * results. Yields after each step.
 */
export function* pairTools(messages: readonly Message[], steps: StepCounter): Generator<void, Message[]> {
  const byId = new Map<string, ToolCall>();
  let place = 0;
  for (const { parts } of messages) {
    for (const part of parts) {
      if (steps.isStepDone()) yield;
      if (part.kind !== 'tool-call') continue;
      part.place = place++;
      if (part.id !== null) byId.set(part.id, part);
    }
  }
  const open = new OpenCalls();
  const paired: Message[] = [];
  for (const { role, name, parts } of messages) {
    const kept: Part[] = [];
    for (const part of parts) {
      if (steps.isStepDone()) yield;
      if (part.kind === 'tool-call' && part.id === null) open.add(part);
      if (!answersCall(part, byId, open)) kept.push(part);
    }
    if (kept.length > 0 || parts.length === 0) paired.push({ role, name, parts: kept });
  }
  return paired;
}

/** Assigns a tool result to its call. @returns false for other parts and for results without a call */
function answersCall(part: Part, byId: ReadonlyMap<string, ToolCall>, open: OpenCalls): boolean {
  if (part.kind !== 'tool-result') return false;
  const call = part.id === null ? open.first(part.name) : byId.get(part.id);
  if (!call || call.answered) return false;
  Object.assign(call, { result: part.result, answered: true });
  return true;
}

/** Calls without an id that have no result yet. */
class OpenCalls {
  /** Queues by name; all calls under null. Calls before `next` are answered. */
  readonly #queues = new Map<string | null, { calls: ToolCall[]; next: number }>();

  add(call: ToolCall): void {
    for (const name of [call.name, null]) {
      const queue = this.#queues.get(name);
      if (queue) queue.calls.push(call);
      else this.#queues.set(name, { calls: [call], next: 0 });
    }
  }

  /** The first unanswered call with a name, or with any name for null. */
  first(name: string | null): ToolCall | undefined {
    const queue = this.#queues.get(name);
    if (!queue) return undefined;
    while (queue.calls[queue.next]?.answered) queue.next += 1;
    return queue.calls[queue.next];
  }
}
