import { csvLine } from '../../contract/csv.ts';
import type { MetricAnswer } from '../../contract/metrics/query.ts';

/** The rows of an answer as CSV: a header, and one line each, with its columns and `n`. */
export function csvOf({ columns, rows }: Pick<MetricAnswer, 'columns' | 'rows'>): string {
  const measures = columns.filter(({ type }) => type === 'number');
  const others = columns.filter(({ type }) => type !== 'number');
  const lines = rows.map((row) =>
    csvLine([...others.map(({ name }) => row[name]), ...measures.map((_, index) => row.values[index]), row.n]),
  );
  return [csvLine([...columns.map(({ name }) => name), 'n']), ...lines].join('');
}
