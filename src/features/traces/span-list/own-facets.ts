import type { Facet } from '../../../contract/spans.ts';
import type { SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import { indented } from '../../../platform/clickhouse/index.ts';
import { printField } from '../../../contract/filter/print.ts';
import { rowsOf } from './facet-rows.ts';
import type { Counted, Matching } from './facet-rows.ts';

/** Maximum values of a facet. */
export const maxValues = 50;

/** A field whose value is the row's own, as SQL. */
export interface OwnField {
  counted: Counted;
  own: string;
}

/**
 * SQL of the values of several fields of the spans that match, in one reading of them: a row with the value `''`, the number without one, comes first of each field.
 * `whole` is the number of spans.
 */
export function ownFacetsSql(fields: readonly OwnField[], matching: Matching): SqlPart {
  const { text, parameters } = rowsOf(matching);
  const names = fields.map((_, index) => `v${index}`);
  return {
    text: `SELECT field, value, rows, whole FROM (
  SELECT field, value, rows, sum(rows) OVER (PARTITION BY field) AS whole FROM (
    SELECT ${fieldOf(names)} AS field, [${names.map((name) => `toString(${name})`).join(', ')}][field + 1] AS value, count() AS rows FROM (
      SELECT ${fields.map(({ own }, index) => `${own} AS v${index}`).join(', ')} FROM ${indented(text, 6)}
    )
    GROUP BY GROUPING SETS (${names.map((name) => `(${name})`).join(', ')})
  )
)
ORDER BY field, value = '' DESC, rows DESC, value
LIMIT ${maxValues + 1} BY field`,
    parameters,
  };
}

/** SQL of the index of the field that a row is of. */
function fieldOf(names: readonly string[]): string {
  const [first, ...others] = names.map((name, index) => `grouping(${name}) = 0, ${index}`);
  return others.length === 0 ? '0' : `multiIf(${[first, ...others].join(', ')}, 0)`;
}

/** The facets of {@link ownFacetsSql}, in the order of the fields. */
export async function readOwnFacets(
  fields: readonly OwnField[],
  matching: Matching,
  reader: TenantReader,
): Promise<ValuesFacet[]> {
  const { text, parameters } = ownFacetsSql(fields, matching);
  const rows = await reader.query<{ field: number; value: string; rows: number; whole: number }>(text, parameters);
  return fields.map(({ counted }, index) => {
    const ofField = rows.filter(({ field }) => field === index);
    const values = ofField.filter(({ value }) => value !== '').slice(0, maxValues);
    const missing = ofField.find(({ value }) => value === '')?.rows ?? 0;
    const total = ofField[0]?.whole ?? 0;
    const shown = values.reduce((sum, { rows: count }) => sum + count, 0);
    return {
      field: printField(counted),
      values: values.map(({ value, rows: count }) => ({ value, count })),
      other: total - missing - shown,
      missing,
      total,
    };
  });
}

/** The facet of a field with values, not of a number. */
export type ValuesFacet = Extract<Facet, { values: unknown }>;
