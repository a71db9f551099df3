import type { ModelDetail } from '../../api/service.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { formatCount, formatDuration, formatScore, formatShare, formatUsdPrecise } from '../../format/number-format.ts';
import type { Timeline } from '../../range.ts';

type Row = ModelDetail['timeline'][number];

/**
 * The charts of a model over the whole range. The response has no row for times without calls.
 *
 * @param open opens the traces of a row of the timeline, or only the failed ones
 */
export function timelineCharts(
  { summary, timeline: rows, quality }: ModelDetail,
  { starts, labels, axis, interval, unfinished }: Timeline,
  open: (start: string, failed: boolean) => void,
): CategoryChart[] {
  const byStart = new Map(rows.map((row) => [row.day, row]));
  const scores = new Map(quality.trend.map((row) => [row.day, row.avg_score]));
  const values = (read: (row: Row) => number | null, absent: number | null) =>
    starts.map((start) => {
      const row = byStart.get(start);
      return row ? read(row) : absent;
    });
  const opening = (isFailed: (series: string | null) => boolean) => (category: number, series: string | null) => {
    const start = starts[category];
    if (start !== undefined) open(start, isFailed(series));
  };
  const every = interval === 'hour' ? 'Hourly' : 'Daily';
  const base = { axis, categories: labels, unfinished, open: opening(() => false) } as const;
  const isScale = quality.trend.every(({ avg_score: score }) => score <= 1);
  return [
    {
      ...base,
      kind: 'bars',
      title: `${every} calls`,
      unit: '',
      stacked: true,
      format: formatCount,
      whole: true,
      open: opening((series) => series === 'Failed'),
      series: [
        { name: 'Successful', values: values(({ calls, errors }) => calls - errors, 0), color: 1 },
        { name: 'Failed', values: values(({ errors }) => errors, 0), color: 'bad' },
      ],
    },
    {
      ...base,
      kind: 'lines',
      title: 'Error rate',
      unit: '',
      format: formatShare,
      limit: 1,
      open: opening(() => true),
      series: [{ name: 'Error rate', values: values(({ error_rate }) => error_rate, null), color: 'bad' }],
    },
    // Omitted for a model without a price.
    ...(summary !== null && summary.unpriced_calls === summary.total_calls
      ? []
      : [
          {
            ...base,
            kind: 'bars' as const,
            title: `${every} cost (USD)`,
            unit: '',
            format: formatUsdPrecise,
            series: [{ name: 'Cost', values: values(({ cost }) => cost, 0), color: 3 }],
          },
        ]),
    {
      ...base,
      kind: 'lines',
      title: 'Latency',
      unit: '',
      format: formatDuration,
      series: [
        { name: 'p95', values: values(({ p95_latency }) => p95_latency, null), color: 4 },
        { name: 'Mean', values: values(({ avg_latency }) => avg_latency, null), color: 1 },
        { name: 'First token, mean', values: values(({ avg_ttft }) => avg_ttft, null), color: 2 },
      ],
    },
    {
      ...base,
      kind: 'bars',
      title: `${every} tokens`,
      unit: '',
      stacked: true,
      format: formatCount,
      whole: true,
      series: [
        { name: 'Input', values: values(({ input_tokens, cached_tokens }) => input_tokens - cached_tokens, 0), color: 1 },
        { name: 'Cached input', values: values(({ cached_tokens }) => cached_tokens, 0), color: 2 },
        { name: 'Output', values: values(({ output_tokens }) => output_tokens, 0), color: 4 },
      ],
    },
    ...(quality.hasData
      ? [
          {
            ...base,
            kind: 'lines' as const,
            title: 'Quality',
            unit: 'mean score',
            format: formatScore,
            ...(isScale ? { limit: 1 } : {}),
            series: [{ name: 'Mean score', values: starts.map((start) => scores.get(start) ?? null), color: 5 }],
          },
        ]
      : []),
  ];
}
