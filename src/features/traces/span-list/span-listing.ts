import type { Filter } from '../../../contract/filter/ast.ts';
import { allOf, indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import { Binder } from '../filter/binder.ts';
import { spanCondition } from '../filter/span-conditions.ts';
import { isOfEvaluation } from '../filter/span-values.ts';
import { isMadeSql } from '../../records/index.ts';
import type { PartlyExpired } from '../partly-expired.ts';
import { withoutTexts } from '../filter/texts-of.ts';
import type { TextReading } from '../filter/text-reading.ts';
import type { SearchPort } from '../../trace-store/index.ts';
import { readingOfSpans } from '../text-search/text-search.ts';
import type { TimeRange } from '../time-range.ts';
import { givenFields, ownFieldsOf } from './given-fields.ts';
import { tableOfSpans } from './span-table.ts';
import { wholeOf } from './time-part.ts';
import type { TimePart } from './time-part.ts';
import type { SpanTable } from './span-table.ts';

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
  table: SpanTable;
  /** Fields for which the traces of the range need not be read; see `givenFields`. Default: none is known. */
  given?: ReadonlySet<string>;
  /** Only spans of so many of the 256 lots, into which they fall evenly by their ids. Default: all. */
  lots?: number;
}

/** The lots of spans; see column `lot` of `span_headers`. */
export const allLots = 256;

/** A listing that is read as a whole. */
export async function wholeListing(
  search: SearchPort,
  reader: TenantReader,
  projectId: string,
  asked: Pick<SpanListing, 'range' | 'filter' | 'anySource' | 'roots'>,
): Promise<SpanListing> {
  const { range, filter } = asked;
  const reading = await readingOfSpans(search, reader, projectId, filter, range);
  const table = await tableOfSpans(search, projectId, filter, reading);
  return { ...asked, reading, table, given: await givenOf(reader, table, ownFieldsOf(filter), range) };
}

/** The fields for which the traces of a range need not be read: `source`, and of `span_headers` those of some names. */
export function givenOf(
  reader: TenantReader,
  table: SpanTable,
  names: readonly string[],
  range: TimeRange,
): Promise<ReadonlySet<string>> {
  return givenFields(reader, ['source', ...(table === 'span_headers' ? names : [])], wholeOf(range));
}

/** How the traces of a part are looked up: those of that time, or those of spans that contain the texts of the filter. */
export type LookUp = { partlyExpired: PartlyExpired | null } | { hits: readonly SpanVersion[] };

/** One version of a span. */
export interface SpanVersion {
  traceId: string;
  spanId: string;
  version: number;
  startNs: bigint;
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
 * PREWHERE and WHERE over the listing's table, with FINAL, of its spans. What a span has of its trace is that of whole traces: a partly expired one lends nothing.
 *
 * @param part of the range; the whole one by default
 * @param lookUp the traces of the part are looked up, so that of `spans`, and of other tables, only what is theirs is read; null reads the tables
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
  const binder = new Binder('span', among, listing.reading, listing.given);
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
    ...(listing.anySource ? [] : [{ text: `NOT ${isMadeSql}`, parameters: {} }]),
    ...(listing.anySource || listing.given?.has('source') ? [] : [{ text: `NOT ${isOfEvaluation(within)}`, parameters: {} }]),
    ...(hits === null ? [] : [versionsOf(hits)]),
    ...(filter === null ? [] : [binder.part(spanCondition(filter, binder))]),
  ];
  const where = allOf(conditions);
  const keys = listing.table === 'spans' ? among : hits === null ? null : startsOf(hits);
  const key = listing.table === 'spans' ? 'trace_id' : 'start_time';
  // By the key alone, so that it selects all versions of a row or none.
  const first = [
    ...(keys === null ? [] : [{ text: `${key} GLOBAL IN (\n    ${indented(keys.text, 4)}\n  )`, parameters: keys.parameters }]),
    ...(listing.lots === undefined ? [] : [sampleOf(listing.table, listing.lots)]),
  ];
  const prewhere = first.length === 0 ? '' : `PREWHERE ${allOf(first).text}\n`;
  return {
    text: `${prewhere}WHERE ${where.text}`,
    parameters: { ...among?.parameters, ...allOf(first).parameters, ...where.parameters },
  };
}

function sampleOf(table: SpanTable, lots: number): SqlPart {
  const lot = table === 'span_headers' ? 'lot' : `cityHash64(trace_id, span_id) % ${allLots}`;
  return { text: `${lot} < {lots:UInt16}`, parameters: { lots } };
}

function startsOf(hits: readonly SpanVersion[]): SqlPart {
  const starts = [...new Set(hits.map(({ startNs }) => startNs))];
  return {
    text: 'SELECT fromUnixTimestamp64Nano(toInt64(arrayJoin({hitStarts:Array(String)})))',
    parameters: { hitStarts: starts.map(String) },
  };
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
