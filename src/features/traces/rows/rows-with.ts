import type { FieldTerm, Filter } from '../../../contract/filter/ast.ts';
import { indented } from '../../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { asksForSource } from '../filter/origin.ts';
import { Binder } from '../filter/binder.ts';
import { callCondition } from '../filter/call-conditions.ts';
import type { TextReading } from '../filter/text-reading.ts';
import type { PartlyExpired } from '../partly-expired.ts';
import { facetSource } from '../span-list/facet-fields.ts';
import type { FacetSource } from '../span-list/facet-fields.ts';
import { joinOf, relatedRows, rowsOf } from '../span-list/facet-rows.ts';
import type { Matching } from '../span-list/facet-rows.ts';
import type { SpanTable } from '../span-list/span-table.ts';
import type { TimeRange } from '../time-range.ts';
import { callColumns, fieldsOfCalls, figureColumns } from './row-columns.ts';
import type { Joined, RowSubject } from './row-columns.ts';

/** A field whose values are read, as a filter names it. */
export type ReadField = Pick<FieldTerm, 'field' | 'path'>;

/** Which rows are read, and what of them. */
export interface RowsWanted {
  on: RowSubject;
  range: TimeRange;
  /** Read with `on: 'traces'` for traces, else with `on: 'spans'`. */
  filter: Filter | null;
  /** Of traces; null for calls and spans. */
  partlyExpired: PartlyExpired | null;
  reading: TextReading | null;
  /** Where spans are read. */
  table: SpanTable;
  /** Names of {@link figureColumns}. */
  figures: readonly string[];
  fields: readonly ReadField[];
}

const one = (expression: string) => `[toString(${expression})]`;

/** Fields that have no facet, since hardly two rows have the same value. */
const further: Readonly<Record<string, FacetSource>> = {
  error: { table: 'spans', values: () => one(`if(status = 'error', error_message, '')`) },
  'score.': {
    table: 'scores',
    values: () => one(`if(isNaN(score), '', toString(score))`),
    where: ([evaluator]) => `evaluator = ${evaluator}`,
  },
};

/** Where the values of a field are; null for one that has no values to group by. */
function sourceOf({ field }: ReadField, on: RowSubject): FacetSource | null {
  return facetSource(field, on === 'traces' ? 'traces' : 'spans') ?? further[field.name] ?? null;
}

/** Whether rows can be grouped by a field. */
export function isGroupable(field: ReadField['field'], on: RowSubject): boolean {
  return sourceOf({ field, path: [] }, on) !== null;
}

/**
 * A SELECT of one row for each record that matches: `start_time`, each figure under its name, and the values of the fields as `v0`, `v1` and so on, each an
 * `Array(String)` without `''` and repetitions.
 */
export function rowsWith(wanted: RowsWanted): SqlPart {
  if (wanted.on !== 'calls') return ofRecords(wanted);
  const isOwn =
    wanted.figures.every((name) => figureColumns.calls[name]?.joined !== 'trace') &&
    wanted.fields.every(({ field }) => field.name in fieldsOfCalls);
  const binder = new Binder('call');
  const condition = wanted.filter === null ? '1' : callCondition(wanted.filter, binder);
  return isOwn && condition !== null ? ofCallsAlone(wanted, binder.part(condition)) : ofRecords(wanted);
}

const distinct = (values: string) => `arrayFilter(v -> v != '', arrayDistinct(${values}))`;
const figuresOf = ({ on, figures }: RowsWanted) => figures.map((name) => `${figureColumns[on][name]?.sql ?? 'NULL'} AS ${name}`);
const keysOf = (index: number, { path }: ReadField) => path.map((_, at) => `{key${index}of${at}:String}`);

function boundKeys(fields: readonly ReadField[]): Record<string, string> {
  return Object.fromEntries(fields.flatMap(({ path }, index) => path.map((text, at) => [`key${index}of${at}`, text])));
}

/** The calls of a range, with the columns of {@link callColumns}. */
function callsOf({ fromNs, beforeNs }: TimeRange, columns: readonly string[], where: SqlPart): SqlPart {
  const renamed = Object.entries(callColumns).map(([name, sql]) => `${sql} AS ${name}`);
  return {
    text: `SELECT ${[...columns, ...renamed].join(', ')} FROM calls FINAL
WHERE model != '' AND start_time >= fromUnixTimestamp64Nano({callsFrom:Int64}) AND start_time < fromUnixTimestamp64Nano({callsBefore:Int64})
  AND hour >= toStartOfHour(fromUnixTimestamp64Nano({callsFrom:Int64})) AND hour <= toStartOfHour(fromUnixTimestamp64Nano({callsBefore:Int64}))
  AND ${where.text}`,
    parameters: { callsFrom: String(fromNs), callsBefore: String(beforeNs), ...where.parameters },
  };
}

/** Calls whose own rows tell all. */
function ofCallsAlone(wanted: RowsWanted, where: SqlPart): SqlPart {
  const ids = ['trace_id', 'span_id', 'start_time', 'provider', 'error_code', 'prompt_name', 'prompt_version'];
  const { text, parameters } = callsOf(wanted.range, ids, where);
  const values = wanted.fields.map(({ field }, index) => `${distinct(one(fieldsOfCalls[field.name] ?? ''))} AS v${index}`);
  return {
    text: `SELECT ${['start_time', ...figuresOf(wanted), ...values].join(', ')} FROM (
  ${indented(text, 2)}
)`,
    parameters,
  };
}

function ofRecords(wanted: RowsWanted): SqlPart {
  const { on, fields, figures, range, filter, partlyExpired, reading, table } = wanted;
  const subject = on === 'traces' ? 'traces' : 'spans';
  const matching: Matching = {
    on: subject,
    range,
    filter,
    anySource: asksForSource(filter),
    partlyExpired,
    reading,
    table,
  };
  const sources = fields.map((field) => sourceOf(field, on));
  const isOwn = (index: number) => isOfCallField(wanted, index) || sources[index]?.table === subject;
  const own = fields.flatMap((field, index) =>
    isOwn(index) ? [`${distinct(valuesOf(wanted, field, sources[index] ?? null, index))} AS v${index}`] : [],
  );
  const needed = new Set<Joined | undefined>([
    ...figures.map((name) => figureColumns[on][name]?.joined),
    ...fields.map((_, index) => (isOwn(index) && !isOfCallField(wanted, index) ? sources[index]?.joined : undefined)),
  ]);
  const joins = [
    ...(needed.has('trace') ? [joinOf('trace', { partlyExpired })] : []),
    ...(on === 'calls' ? [joinOfCalls(range)] : needed.has('agent') ? [joinOf('agent', { partlyExpired })] : []),
  ];
  const rows = rowsOf(matching, joins.map(({ text }) => text).join(''));
  const ids = subject === 'spans' ? ['trace_id', 'span_id'] : ['trace_id'];
  const inner: SqlPart = {
    text: `SELECT ${[...ids, 'start_time', ...figuresOf(wanted), ...own].join(', ')} FROM ${rows.text}`,
    parameters: Object.assign({}, rows.parameters, ...joins.map(({ parameters }) => parameters)),
  };
  const related = fields.flatMap((field, index) => {
    const source = sources[index];
    return isOwn(index) || !source ? [] : [relatedTo(field, source, index, rowsOf(matching), matching)];
  });
  return {
    text: `SELECT * FROM (
  ${indented(inner.text, 2)}
) AS matching${related.map(({ text }) => text).join('')}`,
    parameters: Object.assign(boundKeys(fields), inner.parameters, ...related.map(({ parameters }) => parameters)),
  };
}

const isOfCallField = ({ on, fields }: RowsWanted, index: number) =>
  on === 'calls' && fields[index] !== undefined && fields[index].field.name in fieldsOfCalls;

function valuesOf(wanted: RowsWanted, field: ReadField, source: FacetSource | null, index: number): string {
  if (isOfCallField(wanted, index)) return one(fieldsOfCalls[field.field.name] ?? '');
  return source?.values(keysOf(index, field)) ?? '[]';
}

/** Leaves the spans that are calls, with the columns of {@link callColumns}. */
function joinOfCalls(range: TimeRange): SqlPart {
  const calls = callsOf(range, ['trace_id', 'span_id'], { text: '1', parameters: {} });
  return {
    text: `\nGLOBAL ANY INNER JOIN (\n  ${indented(calls.text, 2)}\n) AS of_call USING (trace_id, span_id)`,
    parameters: calls.parameters,
  };
}

/** A join with the values that rows of another table tell of a record. */
function relatedTo(field: ReadField, source: FacetSource, index: number, rows: SqlPart, matching: Matching): SqlPart {
  const isOfSpan = source.table === 'scores' || source.table === 'comments';
  const ids = matching.on === 'spans' && isOfSpan ? 'trace_id, span_id' : 'trace_id';
  const among: SqlPart = {
    text: `trace_id GLOBAL IN (SELECT trace_id FROM ${indented(rows.text, 2)})`,
    parameters: rows.parameters,
  };
  const keys = keysOf(index, field);
  const found = relatedRows(source, keys, among, matching);
  return {
    text: `
GLOBAL ANY LEFT JOIN (
  SELECT ${ids}, groupUniqArrayArray(${distinct(source.values(keys))}) AS v${index} FROM ${indented(found.text, 2)}
  GROUP BY ${ids}
) AS related${index} USING (${ids})`,
    parameters: found.parameters,
  };
}
