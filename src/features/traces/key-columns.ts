import { ServiceError } from '../../contract/errors.ts';
import type { FilterSubject } from '../../contract/filter/fields.ts';
import { findFieldName } from '../../contract/filter/read-filter.ts';
import { maxColumnValues } from '../../contract/key-columns.ts';
import { indented } from '../../platform/clickhouse/index.ts';
import type { SqlPart, TenantReader } from '../../platform/clickhouse/index.ts';
import { restoredAttributesSql } from '../trace-store/index.ts';
import { keyedTexts } from './filter/span-values.ts';

/** A key of metadata or attributes that a list has as a column. */
export interface KeyColumn {
  /** As it was asked for. */
  name: string;
  /** SQL of the JSON. */
  json: string;
  path: readonly string[];
}

/** The JSON with a field's keys, over `spans`. */
const columns: Readonly<Record<string, string>> = { 'metadata.': 'metadata', 'attribute.': restoredAttributesSql };
/** Maximum characters of a value. */
const maxLength = 200;
/** Maximum records read at a time. */
const chunk = 1000;

/** The columns that a request names. Errors: `invalid_request` for one that is no key of metadata or attributes. */
export function readKeyColumns(names: readonly string[] = [], on: FilterSubject, nowMs: number): KeyColumn[] {
  return [...new Set(names)].map((name) => {
    const term = findFieldName(name, on, nowMs);
    const json = term === null ? undefined : columns[term.field.name];
    if (term !== null && json !== undefined) return { name, json, path: term.path };
    throw new ServiceError('invalid_request', 'Send keys of metadata or attributes as columns, such as metadata.tenant.', {
      details: [{ path: '/column', message: `${name.slice(0, 80)} is no key of metadata or attributes` }],
    });
  });
}

/** The ids of a record, with `spanId` of a span. */
interface Ids {
  traceId: string;
  spanId?: string;
}

/**
 * Records of a list with the values of keys, as filters compare them: of a span its own, of a trace those of its own record and of its spans.
 *
 * @param records as they are where no column was asked for
 */
export async function withKeyColumns<Listed extends Ids>(
  reader: TenantReader,
  on: FilterSubject,
  records: readonly Listed[],
  asked: readonly KeyColumn[],
): Promise<Array<Listed & { columns?: Record<string, string[]> }>> {
  if (asked.length === 0) return [...records];
  const read: Array<Listed & { columns: Record<string, string[]> }> = [];
  for (let start = 0; start < records.length; start += chunk) {
    const part = records.slice(start, start + chunk);
    const valuesOf = await readValues(reader, on, part, asked);
    read.push(...part.map((record) => ({ ...record, columns: valuesOf(record) })));
  }
  return read;
}

interface ValueRow {
  trace_id: string;
  span_id?: string;
  place: number;
  value: string;
}

async function readValues(reader: TenantReader, on: FilterSubject, records: readonly Ids[], asked: readonly KeyColumn[]) {
  const { text, parameters } = keyColumnsSql(on, asked);
  const rows = await reader.query<ValueRow>(text, {
    ...parameters,
    traces: [...new Set(records.map(({ traceId }) => traceId))],
    ...(on === 'spans'
      ? { ofTraces: records.map(({ traceId }) => traceId), spans: records.map(({ spanId = '' }) => spanId) }
      : {}),
  });
  const keyOf = (traceId: string, spanId: string | undefined) => JSON.stringify([traceId, spanId]);
  const byRecord = Map.groupBy(rows, (row) => keyOf(row.trace_id, row.span_id));
  return ({ traceId, spanId }: Ids) => {
    const found = byRecord.get(keyOf(traceId, on === 'spans' ? spanId : undefined)) ?? [];
    return Object.fromEntries(
      asked.map(({ name }, index) => [name, found.filter(({ place }) => place === index).map(({ value }) => value)]),
    );
  };
}

/** SQL of {@link withKeyColumns}: a row for each value, with the place of its column among those that were asked for. */
export function keyColumnsSql(on: FilterSubject, asked: readonly KeyColumn[]): SqlPart {
  const keys = asked.map(({ path }, column) => path.map((_, index) => `column${column}key${index}`));
  const bound = asked.flatMap(({ path }, column) => path.map((key, index) => [`column${column}key${index}`, key]));
  const values = asked.map(({ json }, column) => {
    const placeholders = (keys[column] ?? []).map((name) => `{${name}:String}`);
    return `arrayMap(v -> (${column}, leftUTF8(v, ${maxLength})), ${keyedTexts(json, placeholders)})`;
  });
  const ids = on === 'spans' ? 'trace_id, span_id' : 'trace_id';
  const among =
    on === 'spans'
      ? '\nWHERE (trace_id, span_id) IN (SELECT arrayJoin(arrayZip({ofTraces:Array(String)}, {spans:Array(String)})))'
      : '';
  const rows = `SELECT ${ids}, (span_id != '', parent_span_id != '', start_time) AS place_in_trace,
  arrayJoin(arrayConcat(${values.join(',\n    ')})) AS found
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}${among}`;
  return {
    text: `SELECT ${ids}, found.1 AS place, found.2 AS value
FROM (
  ${indented(rows, 2)}
)
GROUP BY ${ids}, place, value
ORDER BY ${ids}, place, min(place_in_trace), value
LIMIT ${maxColumnValues} BY ${ids}, place`,
    parameters: Object.fromEntries(bound) as Record<string, string>,
  };
}
