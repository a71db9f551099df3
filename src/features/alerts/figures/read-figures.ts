import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import { exact } from '../../../platform/statistics/index.ts';
import type { ScopeFigure } from '../evaluate-scopes.ts';
import type { ReadRule } from './rule-hits.ts';
import { sharedWindowsSql } from './shared-windows-sql.ts';

/** A row of a statement for figures. */
export interface FigureRow {
  scope: string;
  n_sum: number;
  value: number;
}

export const figureOf = ({ scope, n_sum: count, value }: FigureRow): ScopeFigure => ({
  scope,
  count,
  value: exact(value),
});

/**
 * The figures of the scopes of rules in their windows, which end at `nowMs`, by rule: of each the worst first, at most 50.
 *
 * @param rules one, or several with the same `sharedRead`, which is not null
 */
export async function readFigures(reader: TenantReader, rules: readonly ReadRule[], nowMs: number): Promise<ScopeFigure[][]> {
  const figures = rules.map((): ScopeFigure[] => []);
  if (rules.length === 0) return figures;
  const { text, parameters } = sharedWindowsSql(rules, nowMs);
  for (const row of await reader.query<FigureRow & { rule: number }>(text, parameters))
    figures[row.rule - 1]?.push(figureOf(row));
  return figures;
}
