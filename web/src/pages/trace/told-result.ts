import type { TraceSpan } from '../../api/wire.ts';
import { jsonSize } from '../../content/json-size.ts';
import { readMessages } from '../../content/read-messages.ts';
import type { Message } from '../../content/read-messages.ts';
import type { ToolCall } from '../../content/tool-runs.ts';

/** Longer payloads are not read for calls: the page would stand still. */
const longestRead = 400_000;
/** How many llm spans after a call are looked through for its result. */
const mostFollowing = 20;

/**
 * What a call gave, as the model was told: from the input of the first llm span after it, of the next twenty, that holds the result for
 * its id. For a call without an id, from the next llm span beside it: there the same call of the same name, counted from the first.
 *
 * @returns null when no input holds it
 */
export function toldResult(
  spans: readonly TraceSpan[],
  { asker, call }: { asker: TraceSpan; call: ToolCall },
): { value: unknown; span: TraceSpan } | null {
  const askedMs = Date.parse(asker.startTime);
  const following = llmSpans(spans).flatMap(({ span, startMs }) =>
    startMs >= askedMs && span.spanId !== asker.spanId ? [span] : [],
  );
  if (call.id !== null) {
    for (const span of following.slice(0, mostFollowing)) {
      const parts = messagesIn(span.input).flatMap((message) => message.parts);
      const found = parts.find((part) => part.kind === 'tool-call' && part.answered && part.id === call.id);
      if (found?.kind === 'tool-call') return { value: found.result, span };
      const alone = parts.find((part) => part.kind === 'tool-result' && part.id === call.id);
      if (alone?.kind === 'tool-result') return { value: alone.result, span };
    }
    return null;
  }
  const next = following.find(({ parentSpanId }) => parentSpanId === asker.parentSpanId);
  if (!next) return null;
  const sameName = (one: ToolCall) => one.id === null && one.name === call.name;
  const before = callsIn(asker.input).filter(sameName).length;
  const within = callsIn(asker.output).filter((one) => sameName(one) && one.place < call.place).length;
  const told = callsIn(next.input).filter(sameName)[before + within];
  return told?.answered === true ? { value: told.result, span: next } : null;
}

interface Started {
  span: TraceSpan;
  startMs: number;
}
/** Many calls ask the same: a trace's spans of models in their order, and what its payloads hold. */
const sorted = new WeakMap<readonly TraceSpan[], readonly Started[]>();
const messages = new WeakMap<object, Message[]>();

function llmSpans(spans: readonly TraceSpan[]): readonly Started[] {
  const known = sorted.get(spans);
  if (known) return known;
  const found = spans.filter(({ kind }) => kind === 'llm').map((span) => ({ span, startMs: Date.parse(span.startTime) }));
  found.sort((left, right) => left.startMs - right.startMs);
  sorted.set(spans, found);
  return found;
}

function messagesIn(value: unknown): Message[] {
  if (typeof value !== 'object' || value === null) return readMessagesIn(value);
  const known = messages.get(value);
  if (known) return known;
  const found = readMessagesIn(value);
  messages.set(value, found);
  return found;
}

function readMessagesIn(value: unknown): Message[] {
  if (value === null || jsonSize(value, longestRead) >= longestRead) return [];
  return readMessages(value) ?? [];
}

/** The calls of tools in an input or output, in their order. */
export function callsIn(value: unknown): ToolCall[] {
  return messagesIn(value).flatMap(({ parts }) => parts.filter((part) => part.kind === 'tool-call'));
}

/** For sorting by start. */
export function byStart(left: TraceSpan, right: TraceSpan): number {
  return Date.parse(left.startTime) - Date.parse(right.startTime);
}
