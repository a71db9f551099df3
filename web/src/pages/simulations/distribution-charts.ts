import type { Distribution } from '../../api/parts.ts';
import type { Distributions } from '../../api/service.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { formatDuration, formatExact, formatUsd } from '../../format/number-format.ts';

/** The charts of the distributions of a batch run; one without values is left out. */
export function distributionCharts({ latencyMs, costUsd }: Pick<Distributions, 'latencyMs' | 'costUsd'>): CategoryChart[] {
  return [
    ...chartOf('Latency', 'Latency of an item', latencyMs, formatDuration),
    ...chartOf('Cost', 'Cost of an item', costUsd, formatUsd),
  ];
}

function chartOf(title: string, axis: string, ranges: Distribution, format: (value: number) => string): CategoryChart[] {
  const last = ranges.findLastIndex(({ count, baseline }) => count > 0 || (baseline ?? 0) > 0);
  const shown = ranges.slice(0, last + 1);
  if (shown.length === 0) return [];
  const compared = shown.some(({ baseline }) => baseline !== null);
  return [
    {
      kind: 'bars',
      title,
      unit: 'items',
      axis,
      categories: shown.map(({ from, to }) => (to === null ? `${format(from)} or more` : `${format(from)} to ${format(to)}`)),
      series: [
        { name: 'This run', values: shown.map(({ count }) => count), color: 1 },
        ...(compared ? [{ name: 'Baseline', values: shown.map(({ baseline }) => baseline), color: 6 }] : []),
      ],
      format: formatExact,
      whole: true,
    },
  ];
}
