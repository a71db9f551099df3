import type { TraceSpan } from '../../api/service.ts';
import { jsonSize } from '../../content/json-size.ts';
import type { Message, Part, ToolCall } from '../../content/message.ts';
import { readMessages } from '../../content/read-messages.ts';

/** Larger payloads, in characters of JSON, are not searched for tool calls, which bounds the time. */
const maxRead = 400_000;
/** Number of llm spans after a call that are searched for its result. */
const maxFollowing = 20;

/**
 * The result of a tool call as passed to the model: from the input of the first of the next 20 llm spans that contains a result for the
 * call's id. For a call without an id: from the next sibling llm span, the call of the same name at the same position.
 *
 * @returns null if no input contains it
 */
export function resultFromInputs(
  spans: readonly TraceSpan[],
  { asker, call }: { asker: TraceSpan; call: ToolCall },
): { value: unknown; span: TraceSpan } | null {
  const askedMs = Date.parse(asker.startTime);
  const following = llmSpans(spans).flatMap(({ span, startMs }) =>
    startMs >= askedMs && span.spanId !== asker.spanId ? [span] : [],
  );
  if (call.id !== null) {
    for (const span of following.slice(0, maxFollowing)) {
      const found = read(span, 'input').results.get(call.id);
      if (found) return { value: found.result, span };
    }
    return null;
  }
  const next = following.find(({ parentSpanId }) => parentSpanId === asker.parentSpanId);
  if (!next) return null;
  const sameName = (one: ToolCall) => one.id === null && one.name === call.name;
  const before = callsIn(asker, 'input').filter(sameName).length;
  const within = callsIn(asker, 'output').filter((one) => sameName(one) && one.place < call.place).length;
  const found = callsIn(next, 'input').filter(sameName)[before + within];
  return found?.answered === true ? { value: found.result, span: next } : null;
}

interface Started {
  span: TraceSpan;
  startMs: number;
}
const sorted = new WeakMap<readonly TraceSpan[], readonly Started[]>();

/** The llm spans of a trace by start time. Cached per trace. */
function llmSpans(spans: readonly TraceSpan[]): readonly Started[] {
  const known = sorted.get(spans);
  if (known) return known;
  const found = spans.filter(({ kind }) => kind === 'llm').map((span) => ({ span, startMs: Date.parse(span.startTime) }));
  found.sort((left, right) => left.startMs - right.startMs);
  sorted.set(spans, found);
  return found;
}

type Payload = 'input' | 'output';

/** The tool calls and results in a payload. */
interface ToolContent {
  calls: readonly ToolCall[];
  /** Results by call id: answered calls before results without a call. */
  results: ReadonlyMap<string, { result: unknown }>;
}

const contents: Readonly<Record<Payload, WeakMap<TraceSpan, ToolContent>>> = { input: new WeakMap(), output: new WeakMap() };

/** Reads a payload of a span. Cached per span: many calls look at the same payloads. */
function read(span: TraceSpan, payload: Payload): ToolContent {
  const known = contents[payload].get(span);
  if (known) return known;
  const parts = messagesIn(span[payload]).flatMap((message) => message.parts);
  const content = { calls: parts.filter((part) => part.kind === 'tool-call'), results: resultsById(parts) };
  contents[payload].set(span, content);
  return content;
}

function resultsById(parts: readonly Part[]): Map<string, { result: unknown }> {
  const results = new Map<string, { result: unknown }>();
  const answered = parts.filter((part) => part.kind === 'tool-call' && part.answered);
  const alone = parts.filter((part) => part.kind === 'tool-result');
  for (const part of [...answered, ...alone])
    if ('id' in part && part.id !== null && !results.has(part.id)) results.set(part.id, part);
  return results;
}

function messagesIn(value: unknown): Message[] {
  if (value === null || jsonSize(value, maxRead) >= maxRead) return [];
  return readMessages(value) ?? [];
}

/** The tool calls in the input or output of a span, in order. */
export function callsIn(span: TraceSpan, payload: Payload): readonly ToolCall[] {
  return read(span, payload).calls;
}

/** Compares spans by start time. */
export function byStart(left: TraceSpan, right: TraceSpan): number {
  return Date.parse(left.startTime) - Date.parse(right.startTime);
}
