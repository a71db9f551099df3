import type { PromptMetrics } from '../../api/service.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { formatCount, formatDuration, formatScore, formatShare, formatUsdPrecise } from '../../format/number-format.ts';

type Figures = PromptMetrics['versions'][number];

const maxVersions = 30;

/** The versions in charts: the newest 30, oldest first. */
export function chartedVersions(versions: readonly Figures[]): Figures[] {
  return versions.toSorted((left, right) => left.version - right.version).slice(-maxVersions);
}

/** The charts of the newest 30 versions, oldest first. */
export function metricsCharts(versions: readonly Figures[]): CategoryChart[] {
  const shown = chartedVersions(versions);
  const base = { kind: 'bars', axis: 'Version', categories: shown.map(({ version }) => `v${version}`) } as const;
  const called = (read: (figures: Figures) => number) => shown.map((one) => (one.calls === 0 ? null : read(one)));
  const errors = ({ calls, errorRate }: Figures) => Math.round(calls * errorRate);
  return [
    {
      ...base,
      title: 'Calls',
      unit: 'by version',
      stacked: true,
      format: formatCount,
      whole: true,
      series: [
        { name: 'Successful', values: shown.map((one) => one.calls - errors(one)), color: 1 },
        { name: 'Failed', values: shown.map(errors), color: 'bad' },
      ],
    },
    {
      ...base,
      title: 'Cost per call (USD)',
      unit: 'mean',
      format: formatUsdPrecise,
      series: [{ name: 'Cost per call', values: called(({ costUsd, calls }) => costUsd / calls), color: 3 }],
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
      limit: 1,
      series: [{ name: 'Error rate', values: called(({ errorRate }) => errorRate), color: 'bad' }],
    },
    ...(shown.some(({ avgScore }) => avgScore !== null)
      ? [
          {
            ...base,
            title: 'Score',
            unit: 'mean',
            format: formatScore,
            ...(shown.every(({ avgScore }) => (avgScore ?? 0) <= 1) ? { limit: 1 } : {}),
            series: [{ name: 'Score', values: shown.map(({ avgScore }) => avgScore), color: 5 }],
          },
        ]
      : []),
  ];
}
