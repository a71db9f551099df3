import type { Outcome } from '../../contract/outcomes.ts';
import type { Score, TracePayloads } from '../../contract/traces.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { idsOf, readStoredSummary, summaryOf } from './get-trace.ts';
import { headOf, ownPayloads, readOwnContents } from './own-contents.ts';
import { scoresOfTrace } from './scores.ts';
import { readHeaders } from './span-headers.ts';
import { outlineOf, payloadsOf, withContents } from './span-json.ts';
import type { PayloadTexts } from './span-json.ts';
import { readSpans } from './read-spans.ts';
import { readersFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

/** A span without payloads, with previews if they were requested. */
export interface SpanPart {
  fields: Record<string, unknown>;
  /** With payloads `full`; null without. */
  payloads: PayloadTexts | null;
}

/** Some spans, scores and outcomes of a trace, which are counted in this order. */
export interface TracePart {
  trace: Record<string, unknown>;
  /** The trace's own payloads; null with payloads `none`. */
  payloads: Pick<PayloadTexts, 'input' | 'output' | 'metadata'> | null;
  spans: SpanPart[];
  scores: Score[];
  outcomes: Outcome[];
  /** Whether there are entries after these. */
  more: boolean;
  /** Whether the trace has more spans, scores or outcomes than one response of the route can contain. */
  truncated: boolean;
}

/**
 * The entries of a trace after the first `from`, at most `count`, in the order of {@link getTrace}. Reads the payloads of these spans only.
 *
 * Errors: `not_found` as of {@link getTrace}.
 */
export async function getTracePart(
  context: TracesContext,
  tenant: Tenant,
  traceId: string,
  { payloads, from, count }: { payloads: TracePayloads; from: number; count: number },
): Promise<TracePart> {
  const readers = readersFor(context, tenant);
  const reader = readers.whole;
  const [stored, headers, { scores, truncated }, reported] = await Promise.all([
    readStoredSummary(reader, traceId),
    readHeaders(reader, traceId, false),
    scoresOfTrace(reader, traceId),
    context.outcomesOfTrace(reader, traceId),
  ]);
  const summary = await summaryOf(readers, traceId, stored, headers);
  const isFull = payloads === 'full';
  const places = headers.places.slice(from, from + count);
  const [own, rows] = await Promise.all([
    readOwnContents(reader, traceId, headers, payloads !== 'none'),
    readSpans(reader, traceId, idsOf(places), isFull),
  ]);
  const spans = places.flatMap((place) => {
    const stored = rows.get(place.spanId);
    const row = stored && withContents(stored, rows.get(place.rules.contentFrom));
    return row
      ? [{ fields: outlineOf({ ...row, extra: '' }, place, payloads === 'preview'), payloads: isFull ? payloadsOf(row) : null }]
      : [];
  });
  const [firstScores, firstOutcomes] = [headers.places.length, headers.places.length + scores.length];
  const slice = <T>(list: readonly T[], before: number) =>
    list.slice(Math.max(0, from - before), Math.max(0, from + count - before));
  return {
    trace: headOf(summary, own),
    payloads: payloads === 'none' ? null : ownPayloads(own),
    spans,
    scores: slice(scores, firstScores),
    outcomes: slice(reported.outcomes, firstOutcomes),
    more: from + count < firstOutcomes + reported.outcomes.length,
    truncated: truncated || reported.truncated || headers.truncated,
  };
}
