import type { PromptMetrics } from '../../api/wire.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { formatCount, formatDuration, formatScore, formatShare, formatUsd } from '../../format/number-format.ts';

type Figures = PromptMetrics['versions'][number];

const mostVersions = 30;

/** The newest versions as charts, oldest on the left. */
export function metricsCharts(versions: readonly Figures[]): CategoryChart[] {
  const shown = versions.toSorted((left, right) => left.version - right.version).slice(-mostVersions);
  const base = { kind: 'bars', axis: 'Version', categories: shown.map(({ version }) => `v${version}`) } as const;
  const called = (read: (figures: Figures) => number) => shown.map((one) => (one.calls === 0 ? null : read(one)));
  const errors = ({ calls, errorRate }: Figures) => Math.round(calls * errorRate);
  return [
    {
      ...base,
      title: 'Calls',
      unit: 'in the range',
      stacked: true,
      format: formatCount,
      whole: true,
      series: [
        { name: 'without error', values: shown.map((one) => one.calls - errors(one)), color: 1 },
        { name: 'failed', values: shown.map(errors), color: 'bad' },
      ],
    },
    {
      ...base,
      title: 'Cost of a call',
      unit: 'US dollars, mean',
      format: formatUsd,
      series: [{ name: 'Cost of a call', values: called(({ costUsd, calls }) => costUsd / calls), color: 3 }],
    },
    {
      ...base,
      title: 'Latency',
      unit: 'mean of finished calls',
      format: formatDuration,
      series: [{ name: 'Latency', values: called(({ avgLatencyMs }) => avgLatencyMs), color: 2 }],
    },
    {
      ...base,
      title: 'Error rate',
      unit: 'share of calls',
      format: formatShare,
      series: [{ name: 'Error rate', values: called(({ errorRate }) => errorRate), color: 'bad' }],
    },
    ...(shown.some(({ avgScore }) => avgScore !== null)
      ? [
          {
            ...base,
            title: 'Score',
            unit: 'mean',
            format: formatScore,
            series: [{ name: 'Score', values: shown.map(({ avgScore }) => avgScore), color: 5 }],
          },
        ]
      : []),
  ];
}
