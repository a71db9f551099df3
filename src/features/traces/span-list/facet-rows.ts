import type { FieldTerm, Filter } from '../../../contract/filter/ast.ts';
import type { FilterSubject } from '../../../contract/filter/fields.ts';
import { allOf, indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { noFilter, traceFilter } from '../filter/trace-filter.ts';
import type { TextReading } from '../filter/text-reading.ts';
import { idsOf, latestScores } from '../latest-scores.ts';
import { candidateIds, retainedSummaries } from '../partly-expired.ts';
import type { SummarySource } from '../partly-expired.ts';
import type { TimeRange } from '../time-range.ts';
import { startedIn, summaryConditions } from '../trace-filters.ts';
import { storedSummaryColumns } from '../trace-summary.ts';
import { inheritedColumns } from './facet-fields.ts';
import type { FacetNumber, FacetSource } from './facet-fields.ts';
import { allLots, matchingSpans } from './span-listing.ts';
import type { SpanTable } from './span-table.ts';

/** A field that is counted: as a term of a filter names it. */
export type Counted = Pick<FieldTerm, 'field' | 'path'>;

/** What is counted. */
export interface Matching {
  on: FilterSubject;
  range: TimeRange;
  filter: Filter | null;
  /** See `SpanListing`: of the whole filter, also where the counts leave out its term for the source. */
  anySource: boolean;
  partlyExpired: SummarySource['partlyExpired'];
  reading: TextReading | null;
  /** Where spans are read. */
  table: SpanTable;
  /** See `SpanListing`. */
  given?: ReadonlySet<string>;
  /** See `SpanListing`. */
  lots?: number;
}

/** FROM and WHERE of the rows that match: of spans, or of the summaries of traces. @param join with spans */
export function rowsOf(matching: Matching, join = ''): SqlPart {
  const { on, range, filter, anySource, partlyExpired, reading, table } = matching;
  if (on === 'spans') {
    const { text, parameters } = matchingSpans({ ...matching, roots: false });
    return { text: `${table} FINAL${join}\n${text}`, parameters };
  }
  const { ofSummary, ofMembers } = filter === null ? noFilter : traceFilter(filter);
  const where = allOf([startedIn(range), ...ofSummary, ...summaryConditions({}, anySource)]);
  const among = candidateIds(where, partlyExpired);
  const further = ofMembers.map((condition) => condition(among, reading));
  return retainedSummaries(where, storedSummaryColumns, partlyExpired, further);
}

/** The agents that the spans of the range take from above: no span is in both tables. @param lots see `SpanListing` */
function agentJoin(lots: number | undefined): string {
  const sample = lots === undefined ? '' : `\n  PREWHERE cityHash64(trace_id, span_id) % ${allLots} < {lots:UInt16}`;
  return `
GLOBAL ANY LEFT JOIN (
  SELECT trace_id, span_id, agent_name AS taken_agent FROM span_agents FINAL${sample}
  WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time <= fromUnixTimestamp64Nano({to:Int64})
  UNION ALL
  SELECT trace_id, span_id, agent_name AS taken_agent FROM calls FINAL${sample}
  WHERE hour >= toStartOfHour(fromUnixTimestamp64Nano({from:Int64})) AND hour <= toStartOfHour(fromUnixTimestamp64Nano({to:Int64})) AND agent_name != ''
) AS of_agent USING (trace_id, span_id)`;
}

/** What a row of spans is joined with, by `joined` of a source. */
export function joinOf(
  joined: FacetSource['joined'],
  { partlyExpired, lots }: Pick<Matching, 'partlyExpired' | 'lots'>,
): SqlPart {
  if (joined === undefined) return { text: '', parameters: {} };
  if (joined === 'agent') return { text: agentJoin(lots), parameters: lots === undefined ? {} : { lots } };
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
export function foundValues({ path }: Counted, source: FacetSource, matching: Matching): SqlPart {
  const { on } = matching;
  const keys = path.map((_, index) => `{key${index}:String}`);
  const bound = Object.fromEntries(path.map((text, index) => [`key${index}`, text]));
  const values = `arrayFilter(v -> v != '', arrayDistinct(${source.values(keys)}))`;
  if (source.table === on) {
    const joined = joinOf(source.joined, matching);
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
  const related = relatedRows(source, keys, among, matching);
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
  { partlyExpired, table }: Matching,
): SqlPart {
  if (source.table === 'traces') {
    return retainedSummaries({ text: '1 = 1', parameters: {} }, storedSummaryColumns, partlyExpired, [among]);
  }
  const joined = joinOf(source.joined, { partlyExpired });
  const where = source.where?.(keys) ?? (source.table === 'spans' ? "span_id != ''" : '1');
  return {
    text: `${source.table === 'spans' ? table : source.table} FINAL${joined.text}\nWHERE ${where} AND ${among.text}`,
    parameters: { ...joined.parameters, ...among.parameters },
  };
}

/** FROM of the rows that match, with the score by an evaluator as column `figure`. */
function scoredRows({ path }: Pick<Counted, 'path'>, matching: Matching): SqlPart {
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

/** FROM of the spans that match, with a number of their trace as column `figure`. */
function rowsOfTraces(number: string, matching: Matching): SqlPart {
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

/** SQL of the number of a row, and FROM of the rows. */
export function numberedRows(counted: Counted, { of, expression }: FacetNumber, matching: Matching): [string, SqlPart] {
  if (of === 'row') return [expression, rowsOf(matching)];
  return ['figure', of === 'score' ? scoredRows(counted, matching) : rowsOfTraces(expression, matching)];
}
