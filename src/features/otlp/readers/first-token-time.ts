import { numberOf } from './attribute-readers.ts';
import type { Reader } from './convention.ts';
import type { SpanView } from './span-view.ts';

/** Scopes that send milliseconds where the convention has seconds. */
const inMilliseconds: ReadonlySet<string> = new Set(['strands.telemetry.tracer', 'strands-agents']);

/** Milliseconds of a span; null while it runs. */
function durationMs({ span }: SpanView): number | null {
  if (span === null || span.endNs <= 0n) return null;
  return Math.max(Number(span.endNs - span.startNs) / 1e6, 0);
}

/** Spans that are made by hand after the call may be shorter than it: a value below this is never doubted. */
const undoubtedMs = 1000;

/** Whether a first token can have come after this time: not after the end of the span, but for the precision of clocks. */
export function isWithin(ms: number, span: SpanView): boolean {
  const duration = durationMs(span);
  return duration === null || ms <= Math.max(duration * 1.01 + 1, undoubtedMs);
}

/**
 * Reads a time to first token that the convention has in seconds, as milliseconds. Where the scope does not tell the unit, a value that would be
 * longer than the span is one of milliseconds (docs/semantics.md, "Time to first token").
 */
export const firstTokenTime: Reader<number> = (value, span) => {
  const number = numberOf(value);
  if (number === undefined) return undefined;
  if (inMilliseconds.has(span.scopeName)) return number;
  const ms = number * 1000;
  const found = isWithin(ms, span) || !isWithin(number, span) ? ms : number;
  const duration = durationMs(span);
  // OpenLIT sends the whole duration of calls without a stream.
  const isWhole = duration !== null && span.scopeName.startsWith('openlit') && found >= duration * 0.9;
  return isWhole ? undefined : found;
};
