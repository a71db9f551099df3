import type { FrontierPoint, OutcomeSummary } from '../../api/service.ts';

/** What a model costs in the chart of cost and quality: by call, or by successful outcome. */
export interface CostMeasure {
  /** In the URL; `''` for the cost per call. */
  id: string;
  /** In the choice of measures, and on the axis. */
  name: string;
  /** What the chart shows, after its title. */
  unit: string;
  /** US dollars; null if it is not known of a model. */
  costOf(point: Pick<FrontierPoint, 'model' | 'avgCostUsd'>): number | null;
}

/** The mean cost of a call. */
export const perCall: CostMeasure = {
  id: '',
  name: 'Cost per call',
  unit: 'mean score by mean cost per call',
  costOf: ({ avgCostUsd }) => avgCostUsd,
};

/** The cost of traces by successful outcome: one measure for each kind, and currency where a kind has several. */
export function successMeasures({ totals, byModel }: OutcomeSummary): CostMeasure[] {
  const succeeded = totals.filter(({ successCount }) => successCount > 0);
  return succeeded.map(({ kind, currency }) => {
    const isAlone = succeeded.filter((other) => other.kind === kind).length === 1;
    const name = isAlone ? kind : `${kind}, ${currency}`;
    const rows = byModel.filter((row) => row.kind === kind && row.currency === currency);
    const costs = new Map(rows.map(({ model, costPerSuccess }) => [model, costPerSuccess]));
    return {
      id: `${kind}:${currency}`,
      name: `Cost per success: ${name}`,
      unit: 'mean score by cost per success',
      costOf: ({ model }) => costs.get(model) ?? null,
    };
  });
}
