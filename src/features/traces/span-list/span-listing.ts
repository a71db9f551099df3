import type { Filter } from '../../../contract/filter/ast.ts';
import { allOf, indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { Binder } from '../filter/binder.ts';
import { spanCondition } from '../filter/span-conditions.ts';
import { isOfEvaluation } from '../filter/span-values.ts';
import { isMadeSql } from '../../records/index.ts';
import type { PartlyExpired } from '../partly-expired.ts';
import { withoutTexts } from '../filter/texts-of.ts';
import type { TextReading } from '../filter/text-reading.ts';
import type { TimeRange } from '../time-range.ts';

/** Which spans a list, a count or a facet is of. */
export interface SpanListing {
  range: TimeRange;
  /** null: all. */
  filter: Filter | null;
  /** Also those of simulations, the playground and evaluations: the filter asks for a source. */
  anySource: boolean;
  /** Spans without a parent alone. */
  roots: boolean;
  /** How the texts of the filter are searched in `span_texts`; null: in the spans. */
  reading: TextReading | null;
}

/** A part of a range of times; both ends are included, epoch nanoseconds. */
export interface TimePart {
  fromNs: bigint;
  toNs: bigint;
}

/** How the traces of a part are looked up: those of that time, or those of spans that contain the texts of the filter. */
export type LookUp = { partlyExpired: PartlyExpired | null } | { hits: readonly SpanVersion[] };

/** One version of a span. */
export interface SpanVersion {
  traceId: string;
  spanId: string;
  version: number;
}

const at = (ns: bigint, name: string) => ({
  text: `fromUnixTimestamp64Nano({${name}:Int64})`,
  parameters: { [name]: String(ns) },
});

/**
 * The traces that can have a span that starts in a part: a superset, read by the indexes of `newest_time` and `oldest_time`.
 *
 * @param partlyExpired traces that the reader does not show, whose retained spans it does
 */
function tracesWithin({ fromNs, toNs }: TimePart, partlyExpired: PartlyExpired | null): SqlPart {
  const [from, to] = [at(fromNs, 'partFrom'), at(toNs, 'partTo')];
  const others = partlyExpired === null ? '' : `\nUNION ALL\n${partlyExpired.traces.text}`;
  return {
    text: `SELECT trace_id FROM traces WHERE newest_time >= ${from.text} AND oldest_time <= ${to.text}${others}`,
    parameters: { ...from.parameters, ...to.parameters, ...partlyExpired?.traces.parameters },
  };
}

/**
 * PREWHERE and WHERE over `spans FINAL` of the spans of a listing. What a span has of its trace is that of whole traces: a partly expired one lends nothing.
 *
 * @param part of the range; the whole one by default
 * @param lookUp the traces of the part are looked up, so that only their spans are read; null reads the table
 */
export function matchingSpans(
  listing: SpanListing,
  part: TimePart = wholeOf(listing.range),
  lookUp: LookUp | null = null,
): SqlPart {
  const hits = lookUp !== null && 'hits' in lookUp ? lookUp.hits : null;
  const among =
    hits !== null
      ? tracesOf(hits)
      : lookUp !== null && 'partlyExpired' in lookUp
        ? tracesWithin(part, lookUp.partlyExpired)
        : null;
  const binder = new Binder('span', among, listing.reading);
  const asked = listing.filter;
  const filter = hits === null || asked === null ? asked : withoutTexts(asked);
  const started: SqlPart = {
    text: 'start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})',
    parameters: { from: String(part.fromNs), to: String(part.toNs) },
  };
  // The traces that can have one of the spans: see `tracesWithin`.
  const within = 'newest_time >= fromUnixTimestamp64Nano({from:Int64}) AND oldest_time <= fromUnixTimestamp64Nano({to:Int64})';
  const conditions = [
    started,
    { text: `span_id != ''${listing.roots ? " AND parent_span_id = ''" : ''}`, parameters: {} },
    ...(listing.anySource ? [] : [{ text: `NOT ${isMadeSql} AND NOT ${isOfEvaluation(within)}`, parameters: {} }]),
    ...(hits === null ? [] : [versionsOf(hits)]),
    ...(filter === null ? [] : [binder.part(spanCondition(filter, binder))]),
  ];
  const where = allOf(conditions);
  const prewhere = among === null ? '' : `PREWHERE trace_id GLOBAL IN (\n    ${indented(among.text, 4)}\n  )\n`;
  return { text: `${prewhere}WHERE ${where.text}`, parameters: { ...among?.parameters, ...where.parameters } };
}

function tracesOf(hits: readonly SpanVersion[]): SqlPart {
  const traces = [...new Set(hits.map(({ traceId }) => traceId))];
  return { text: 'SELECT arrayJoin({hitTraces:Array(String)})', parameters: { hitTraces: traces } };
}

function versionsOf(hits: readonly SpanVersion[]): SqlPart {
  return {
    text: '(trace_id, span_id, version) IN (SELECT arrayJoin(arrayZip({hitOf:Array(String)}, {hitSpans:Array(String)}, {hitVersions:Array(UInt64)})))',
    parameters: {
      hitOf: hits.map(({ traceId }) => traceId),
      hitSpans: hits.map(({ spanId }) => spanId),
      hitVersions: hits.map(({ version }) => version),
    },
  };
}

/** A range as a part of itself. */
export function wholeOf({ fromNs, beforeNs }: TimeRange): TimePart {
  return { fromNs, toNs: beforeNs - 1n };
}
