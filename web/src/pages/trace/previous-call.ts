import type { TraceSpan } from '../../api/service.ts';
import type { Message } from '../../content/message.ts';
import { jsonSize } from '../../content/json-size.ts';
import { readMessages } from '../../content/read-messages.ts';

/** Larger inputs are not compared, in characters of JSON. */
const maxCompared = 400_000;

/**
 * The messages of the model call before a span: of the latest earlier one of the same agent whose input is loaded. Pure function.
 *
 * @param spans of the trace; only loaded ones have their input
 * @returns null if there is none
 */
export function previousMessages(spans: readonly TraceSpan[], span: TraceSpan): Message[] | null {
  if (span.kind !== 'llm') return null;
  const earlier = spans.filter(
    (one) =>
      one.kind === 'llm' &&
      one.spanId !== span.spanId &&
      one.input !== null &&
      one.agentName === span.agentName &&
      one.startTime < span.startTime,
  );
  const previous = earlier.reduce<TraceSpan | null>((last, one) => (last && last.startTime >= one.startTime ? last : one), null);
  if (previous === null || jsonSize(previous.input, maxCompared) >= maxCompared) return null;
  return readMessages(previous.input);
}
