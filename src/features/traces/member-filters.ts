import type { ListTracesQuery } from '../../contract/traces.ts';
import { allOf, indented } from '../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../platform/clickhouse/index.ts';
import type { TextReading } from './filter/text-reading.ts';

/** The filters on scores and spans of a trace. */
export type MemberFilters = Pick<
  ListTracesQuery,
  'evaluator' | 'minScore' | 'maxScore' | 'passed' | 'unscoredBy' | 'promptName' | 'promptVersion' | 'errorCode' | 'metadata'
>;

/**
 * A condition on the spans, scores or outcomes of a trace.
 *
 * @param among a SELECT of trace ids: only their rows are read. null reads all rows
 * @param reading how texts are searched in `span_texts`; by default they are searched in the spans
 */
export type MemberCondition = (among: SqlPart | null, reading?: TextReading | null) => SqlPart;

/** Rows of one kind that a trace must have, or must not have. */
export interface Member {
  table: 'scores' | 'spans';
  /** The conditions, all of which one row must match. */
  matches: SqlPart;
  /** Whether a trace must have such a row; otherwise it must have none. */
  wanted: boolean;
  /** The conditions read payloads: such rows are not counted in advance. */
  isCostly?: boolean;
}

/** The required rows of scores and spans for the given filters. */
export function membersOf(filters: MemberFilters): Member[] {
  const { evaluator, minScore, maxScore, passed, unscoredBy, promptName, promptVersion, errorCode, metadata = [] } = filters;
  const scored = conditions([
    ['evaluator = {evaluator:String}', { evaluator }],
    ['score >= {minScore:Float64}', { minScore }],
    ['score <= {maxScore:Float64}', { maxScore }],
    ['passed = {passed:UInt8}', { passed: passed && Number(passed === 'true') }],
  ]);
  const unscored = conditions([['evaluator = {unscoredBy:String}', { unscoredBy }]]);
  const prompted = conditions([
    ['prompt_name = {promptName:String}', { promptName }],
    ['prompt_version = {promptVersion:String}', { promptVersion }],
  ]);
  const failed = conditions([["status = 'error' AND error_code IN {errorCode:Array(String)}", { errorCode }]]);
  return [
    ...failed.map((matches) => ({ table: 'spans' as const, matches, wanted: true })),
    ...metadataConditions(metadata).map((matches) => ({ table: 'spans' as const, matches, wanted: true, isCostly: true })),
    ...scored.map((matches) => ({ table: 'scores' as const, matches, wanted: true })),
    ...unscored.map((matches) => ({ table: 'scores' as const, matches, wanted: false })),
    ...prompted.map((matches) => ({ table: 'spans' as const, matches, wanted: true })),
  ];
}

/** Divides `key:value` at the first colon without a backslash. `\\:` and `\\\\` in the key are a colon and a backslash. */
export function metadataFilter(filter: string): { key: string; value: string | null } {
  const [key = ''] = /^(?:\\[:\\]|[^:])*/.exec(filter) ?? [];
  return { key: key.replaceAll(/\\([:\\])/g, '$1'), value: key === filter ? null : filter.slice(key.length + 1) };
}

/** One condition for each key of `key:value` filters. */
function metadataConditions(filters: readonly string[]): SqlPart[] {
  const byKey = Map.groupBy(filters.map(metadataFilter), ({ key }) => key);
  return [...byKey].map(([key, same], index) => {
    const [name, list] = [`metadataKey${index}`, `metadataValues${index}`];
    const given = `JSONHas(metadata, {${name}:String})`;
    const values = same.flatMap(({ value }) => (value === null ? [] : [value]));
    if (values.length < same.length) return { text: given, parameters: { [name]: key } };
    // The text of a string, and the JSON of any other value.
    const extracted = `JSONExtractString(metadata, {${name}:String}) IN {${list}:Array(String)}
    OR JSONExtractRaw(metadata, {${name}:String}) IN {${list}:Array(String)}`;
    return { text: `${given} AND (${extracted})`, parameters: { [name]: key, [list]: values } };
  });
}

/** The conditions whose parameter is given, joined by AND; none when no parameter is given. */
function conditions(all: ReadonlyArray<readonly [text: string, parameters: SqlPart['parameters']]>): SqlPart[] {
  const given = all.filter(([, parameters]) => Object.values(parameters).every((value) => value !== undefined));
  return given.length === 0 ? [] : [allOf(given.map(([text, parameters]) => ({ text, parameters })))];
}

/**
 * The condition that a trace has such a row, or none, in the latest version of each row (`FINAL`).
 *
 * @param among a SELECT of trace ids; only their rows are read. The tables are sorted by trace id, so few ids read few granules, and very
 * many ids cost more than they save. null reads all rows
 */
export function memberCondition({ table, matches, wanted }: Member, among: SqlPart | null): SqlPart {
  const prewhere = among === null ? '' : `\n    PREWHERE trace_id GLOBAL IN (\n      ${indented(among.text, 6)}\n    )`;
  return {
    text: `trace_id GLOBAL ${wanted ? '' : 'NOT '}IN (
    SELECT trace_id FROM ${table} FINAL${prewhere}
    WHERE ${indented(matches.text, 4)}
  )`,
    parameters: { ...among?.parameters, ...matches.parameters },
  };
}

/**
 * A SELECT of the traces that have, or once had, such a row: it reads every version of every row, in a fraction of the time of `FINAL`.
 */
export function tracesEver({ table, matches }: Member): SqlPart {
  return { text: `SELECT trace_id FROM ${table}\nWHERE ${matches.text}`, parameters: matches.parameters };
}

/** SQL of {@link rareMember}. */
export function countSql({ table, matches }: Member, maxTraces: number): SqlPart {
  return {
    text: `SELECT count() AS traces FROM (
  SELECT DISTINCT trace_id FROM ${table}
  WHERE ${indented(matches.text, 2)}
  LIMIT ${maxTraces + 1}
)`,
    parameters: matches.parameters,
  };
}

/**
 * The first of the required members that at most `maxTraces` traces have; null when there is none.
 *
 * @param maxTraces maximum traces of a rare member
 */
export async function rareMember(reader: TenantReader, members: readonly Member[], maxTraces: number): Promise<Member | null> {
  for (const member of members) {
    if (!member.wanted || member.isCostly === true) continue;
    const { text, parameters } = countSql(member, maxTraces);
    const [row] = await reader.query<{ traces: number }>(text, parameters);
    if (row && row.traces <= maxTraces) return member;
  }
  return null;
}
