import { csvLine } from '../csv.ts';
import type { MetricAnswer, MetricRow } from './query.ts';

/** The rows of an answer as lines of CSV with their ends: a header, and one line each, with its columns and `n`. */
export function csvLinesOf({ columns, rows }: Pick<MetricAnswer, 'columns' | 'rows'>): string[] {
  const lines = rows.map((row) => csvLine([...keysOf(columns, row), ...row.values, row.n]));
  return [csvLine([...columns.map(({ name }) => name), 'n']), ...lines];
}

/** The dimensions and the time of a row; the measures come after them. */
function keysOf(columns: MetricAnswer['columns'], row: MetricRow): unknown[] {
  return columns.filter(({ type }) => type !== 'number').map(({ name }) => row[name]);
}
