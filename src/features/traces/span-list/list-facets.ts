import { ServiceError } from '../../../contract/errors.ts';
import type { FieldTerm, Filter } from '../../../contract/filter/ast.ts';
import type { FilterSubject } from '../../../contract/filter/fields.ts';
import { readFilter, readListFilter } from '../../../contract/filter/read-filter.ts';
import { printField } from '../../../contract/filter/print.ts';
import type { Facet, FacetsQuery } from '../../../contract/spans.ts';
import { allOf, indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import type { WithView } from '../../views/index.ts';
import { asksForSource } from '../filter/origin.ts';
import { noFilter, traceFilter } from '../filter/trace-filter.ts';
import { idsOf, latestScores } from '../latest-scores.ts';
import { candidateIds, retainedSummaries, sourceOf } from '../partly-expired.ts';
import type { SummarySource } from '../partly-expired.ts';
import { readingOfAll, readingOfSpans, searchTexts } from '../text-search/text-search.ts';
import type { TextReading } from '../filter/text-reading.ts';
import { textsOf } from '../filter/texts-of.ts';
import { timeRange } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { startedIn, summaryConditions } from '../trace-filters.ts';
import { storedSummaryColumns } from '../trace-summary.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';
import { facetNumber, facetSource, inheritedColumns } from './facet-fields.ts';
import type { FacetNumber, FacetSource } from './facet-fields.ts';
import { matchingSpans } from './span-listing.ts';

/** Maximum values of a facet. */
const maxValues = 50;
/** Buckets of the facet of a number. */
const bucketCount = 20;

/** A field that is counted: as a term of a filter names it. */
export type Counted = Pick<FieldTerm, 'field' | 'path'>;

/**
 * The values of fields with their counts among what a filter matches, without the field's own terms (docs/filter.md).
 *
 * Errors: `invalid_request` for an invalid range and for a field without values to count, `invalid_filter`.
 */
export async function listFacets(
  context: TracesContext,
  tenant: Tenant,
  query: WithView<FacetsQuery>,
): Promise<{ facets: Facet[]; sampled: boolean }> {
  const nowMs = context.clock.now();
  const { on } = query;
  const filter = readListFilter(query, on, nowMs);
  const range = timeRange(query, nowMs);
  const fields = query.field.map((name) => readField(name, on, nowMs));
  const readers = readersFor(context, tenant);
  // A partly expired trace is counted by what is left of it; to its spans it lends nothing.
  const { reader, partlyExpired } =
    on === 'spans' ? { reader: readers.whole, partlyExpired: null } : await sourceOf(readers, range.fromNs);
  const readTexts = async () => {
    if (on === 'spans') return readingOfSpans(context.search, reader, tenant.projectId, filter, range);
    return readingOfAll(await searchTexts(context.search, reader, tenant.projectId, filter === null ? [] : textsOf(filter)));
  };
  const reading = await readTexts();
  const facets = await Promise.all(
    fields.map((counted): Promise<Facet> => {
      const counting = withoutField(filter, counted);
      const matching: Matching = { on, range, filter: counting, anySource: asksForSource(filter), partlyExpired, reading };
      const number = facetNumber(counted.field, on);
      const source = facetSource(counted.field, on);
      if (source !== null) return valuesOf(counted, source, matching, reader);
      return numbersOf(counted, number ?? { of: 'row', expression: '0' }, matching, reader);
    }),
  );
  return { facets, sampled: false };
}

/** The field that a text names. Errors: `invalid_request` where it is none, or has no values to count. */
function readField(name: string, on: FilterSubject, nowMs: number): Counted {
  let term: Filter | null = null;
  try {
    term = readFilter(`${name}:*`, on, nowMs);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  const known = term?.type === 'field' && (facetSource(term.field, on) !== null || facetNumber(term.field, on) !== null);
  if (term?.type === 'field' && known) return term;
  throw new ServiceError(
    'invalid_request',
    `Send fields whose values can be counted, such as model or latency; ${name} is none.`,
    {
      details: [{ path: '/field', message: `${name} has no values to count` }],
    },
  );
}

/** A filter without the terms of a field among those that must all hold. */
function withoutField(filter: Filter | null, counted: Counted): Filter | null {
  if (filter === null) return null;
  const name = printField(counted);
  const isOwn = (term: Filter): boolean =>
    term.type === 'not' ? isOwn(term.term) : term.type === 'field' && printField(term) === name;
  const terms = (filter.type === 'all' ? filter.terms : [filter]).filter((term) => !isOwn(term));
  return terms.length === 0 ? null : { type: 'all', terms };
}

/** What is counted. */
export interface Matching {
  on: FilterSubject;
  range: TimeRange;
  filter: Filter | null;
  /** See `SpanListing`: of the whole filter, also where the counts leave out its term for the source. */
  anySource: boolean;
  partlyExpired: SummarySource['partlyExpired'];
  reading: TextReading | null;
}

/** FROM and WHERE of the rows that match: of `spans`, or of the summaries of traces. @param join with `spans` */
export function rowsOf({ on, range, filter, anySource, partlyExpired, reading }: Matching, join = ''): SqlPart {
  if (on === 'spans') {
    const { text, parameters } = matchingSpans({ range, filter, anySource, roots: false, reading });
    return { text: `spans FINAL${join}\n${text}`, parameters };
  }
  const { ofSummary, ofMembers } = filter === null ? noFilter : traceFilter(filter);
  const where = allOf([startedIn(range), ...ofSummary, ...summaryConditions({}, anySource)]);
  const among = candidateIds(where, partlyExpired);
  const further = ofMembers.map((condition) => condition(among, reading));
  return retainedSummaries(where, storedSummaryColumns, partlyExpired, further);
}

/** The agents that the spans of the range take from above: no span is in both tables. */
const agentJoin = `
GLOBAL ANY LEFT JOIN (
  SELECT trace_id, span_id, agent_name AS taken_agent FROM span_agents FINAL
  WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
  UNION ALL
  SELECT trace_id, span_id, agent_name AS taken_agent FROM calls FINAL
  WHERE hour >= toStartOfHour(fromUnixTimestamp64Nano({from:Int64})) AND hour <= toStartOfHour(fromUnixTimestamp64Nano({to:Int64})) AND agent_name != ''
) AS of_agent USING (trace_id, span_id)`;

/** What a row of `spans` is joined with, by `joined` of a source. */
export function joinOf(joined: FacetSource['joined'], partlyExpired: Matching['partlyExpired']): SqlPart {
  if (joined === undefined) return { text: '', parameters: {} };
  if (joined === 'agent') return { text: agentJoin, parameters: {} };
  const columns = inheritedColumns.map((column) => `${column} AS trace_${column}`).join(', ');
  const traces = retainedSummaries(
    { text: '1 = 1', parameters: {} },
    `trace_id, start_time, ${inheritedColumns.join(', ')}`,
    partlyExpired,
  );
  return {
    text: `
GLOBAL ANY LEFT JOIN (
  SELECT trace_id, ${columns} FROM ${indented(traces.text, 2)}
) AS of_trace USING (trace_id)`,
    parameters: traces.parameters,
  };
}

/** A SELECT of the values of each row that matches, as column `found`: `Array(String)`. */
function foundValues({ path }: Counted, source: FacetSource, matching: Matching): SqlPart {
  const { on } = matching;
  const keys = path.map((_, index) => `{key${index}:String}`);
  const bound = Object.fromEntries(path.map((text, index) => [`key${index}`, text]));
  const values = `arrayFilter(v -> v != '', arrayDistinct(${source.values(keys)}))`;
  if (source.table === on) {
    const joined = joinOf(source.joined, matching.partlyExpired);
    const rows = rowsOf(matching, joined.text);
    return {
      text: `SELECT ${values} AS found FROM ${rows.text}`,
      parameters: { ...bound, ...joined.parameters, ...rows.parameters },
    };
  }
  const rows = rowsOf(matching);
  const isOfSpan = source.table === 'scores' || source.table === 'comments';
  const ids = on === 'spans' && isOfSpan ? 'trace_id, span_id' : 'trace_id';
  const among: SqlPart = {
    text: `trace_id GLOBAL IN (SELECT trace_id FROM ${indented(rows.text, 2)})`,
    parameters: rows.parameters,
  };
  const related = relatedRows(source, keys, among, matching.partlyExpired);
  return {
    text: `SELECT found FROM (SELECT ${ids} FROM ${indented(rows.text, 2)}) AS matching
GLOBAL ANY LEFT JOIN (
  SELECT ${ids}, groupUniqArrayArray(${values}) AS found FROM ${indented(related.text, 2)}
  GROUP BY ${ids}
) AS related USING (${ids})`,
    parameters: { ...bound, ...related.parameters, ...rows.parameters },
  };
}

/** FROM and WHERE of the rows of another table that have the values. @param among the traces that match */
export function relatedRows(
  source: FacetSource,
  keys: readonly string[],
  among: SqlPart,
  partlyExpired: Matching['partlyExpired'],
): SqlPart {
  if (source.table === 'traces') {
    return retainedSummaries({ text: '1 = 1', parameters: {} }, storedSummaryColumns, partlyExpired, [among]);
  }
  const joined = joinOf(source.joined, partlyExpired);
  const where = source.where?.(keys) ?? (source.table === 'spans' ? "span_id != ''" : '1');
  return {
    text: `${source.table} FINAL${joined.text}\nWHERE ${where} AND ${among.text}`,
    parameters: { ...joined.parameters, ...among.parameters },
  };
}

/** SQL of {@link valuesOf}: of kind 0 the number of rows, of kind 1 those without a value, of kind 2 the values. */
export function facetValuesSql(counted: Counted, source: FacetSource, matching: Matching): SqlPart {
  const { text, parameters } = foundValues(counted, source, matching);
  return {
    text: `SELECT pair.1 AS kind, pair.2 AS value, rows, whole FROM (
  SELECT pair, count() AS rows, sum(rows) OVER (PARTITION BY pair.1) AS whole FROM (
    SELECT arrayJoin(arrayConcat([(0, '')], if(empty(found), [(1, '')], arrayMap(v -> (2, v), found)))) AS pair FROM (
      ${indented(text, 6)}
    )
  )
  GROUP BY pair
)
ORDER BY kind, rows DESC, value
LIMIT ${maxValues + 2}`,
    parameters,
  };
}

async function valuesOf(counted: Counted, source: FacetSource, matching: Matching, reader: TenantReader): Promise<Facet> {
  const { text, parameters } = facetValuesSql(counted, source, matching);
  const read = await reader.query<{ kind: number; value: string; rows: number; whole: number }>(text, parameters);
  const values = read.filter(({ kind }) => kind === 2).slice(0, maxValues);
  const shown = values.reduce((sum, { rows }) => sum + rows, 0);
  const numberOf = (wanted: number) => read.find(({ kind }) => kind === wanted)?.rows ?? 0;
  return {
    field: printField(counted),
    values: values.map(({ value, rows }) => ({ value, count: rows })),
    other: (values[0]?.whole ?? 0) - shown,
    missing: numberOf(1),
    total: numberOf(0),
  };
}

async function numbersOf(counted: Counted, found: FacetNumber, matching: Matching, reader: TenantReader): Promise<Facet> {
  const [number, rows] = numberedRows(counted, found, matching);
  const field = printField(counted);
  const [sums] = await reader.query<{ least: number | null; most: number | null; present: number; total: number }>(
    facetRangeSql(number, rows).text,
    rows.parameters,
  );
  const { present, total } = sums ?? { present: 0, total: 0 };
  if (!sums || sums.least === null || sums.most === null)
    return { field, min: null, max: null, buckets: [], missing: total, total };
  const [min, max] = [sums.least, sums.most];
  const width = (max - min) / bucketCount;
  const { text, parameters } = facetBucketsSql(number, rows, min, width);
  const counts = await reader.query<{ bucket: number; rows: number }>(text, parameters);
  const countOf = new Map(counts.map(({ bucket, rows: count }) => [bucket, count]));
  const edge = (index: number) => (index === bucketCount ? max : min + index * width);
  const buckets = Array.from({ length: bucketCount }, (_, index) => ({
    from: edge(index),
    to: edge(index + 1),
    count: countOf.get(index) ?? 0,
  }));
  return { field, min, max, buckets, missing: total - present, total };
}

/** SQL of the number of a row, and FROM of the rows. */
function numberedRows(counted: Counted, { of, expression }: FacetNumber, matching: Matching): [string, SqlPart] {
  if (of === 'row') return [expression, rowsOf(matching)];
  return ['figure', of === 'score' ? scoredRows(counted, matching) : rowsOfTraces(expression, matching)];
}

/** FROM of the spans that match, with a number of their trace as column `figure`. */
export function rowsOfTraces(number: string, matching: Matching): SqlPart {
  const rows = rowsOf(matching);
  const among: SqlPart = {
    text: `trace_id GLOBAL IN (SELECT trace_id FROM ${indented(rows.text, 2)})`,
    parameters: rows.parameters,
  };
  const { text, parameters } = retainedSummaries(among, storedSummaryColumns, matching.partlyExpired);
  return {
    text: `(SELECT figure FROM (SELECT trace_id FROM ${indented(rows.text, 2)}) AS matching
GLOBAL ANY LEFT JOIN (
  SELECT trace_id, toNullable(${number}) AS figure FROM ${indented(text, 2)}
) AS of_trace USING (trace_id))`,
    parameters,
  };
}

/** FROM of the rows that match, with the score by an evaluator as column `figure`. */
export function scoredRows({ path }: Pick<Counted, 'path'>, matching: Matching): SqlPart {
  const { on } = matching;
  const rows = rowsOf(matching);
  const among = { text: `SELECT trace_id FROM ${indented(rows.text, 2)}`, parameters: rows.parameters };
  const scores = latestScores(on, path[0] ?? '', among);
  return {
    text: `(SELECT figure FROM (SELECT ${idsOf[on]} FROM ${indented(rows.text, 2)}) AS matching
GLOBAL ANY LEFT JOIN (
  ${indented(scores.text, 2)}
) AS latest USING (${idsOf[on]}))`,
    parameters: scores.parameters,
  };
}

/** SQL of the smallest and the largest number of the rows. */
export function facetRangeSql(number: string, rows: SqlPart): SqlPart {
  return {
    text: `SELECT min(n) AS least, max(n) AS most, count(n) AS present, count() AS total FROM (SELECT toNullable(${number}) AS n FROM ${rows.text})`,
    parameters: rows.parameters,
  };
}

/** SQL of the numbers of rows by bucket. */
export function facetBucketsSql(number: string, rows: SqlPart, min: number, width: number): SqlPart {
  return {
    text: `SELECT if({width:Float64} = 0, 0, least(toUInt32((assumeNotNull(n) - {min:Float64}) / {width:Float64}), ${bucketCount - 1})) AS bucket, count() AS rows
FROM (SELECT toNullable(${number}) AS n FROM ${rows.text})
WHERE isNotNull(n)
GROUP BY bucket`,
    parameters: { ...rows.parameters, min, width },
  };
}
