import type { ModelDetail } from '../../api/wire.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { formatCount, formatDuration, formatScore, formatUsdPrecise } from '../../format/number-format.ts';
import { formatUtcDay } from '../../format/time-format.ts';

const axis = 'Day (UTC)';

/** The charts of a model over all days of the range. The response has no row for days without calls. */
export function timelineCharts({ summary, timeline, quality }: ModelDetail, days: readonly string[]): CategoryChart[] {
  const byDay = new Map(timeline.map((point) => [point.day, point]));
  const scores = new Map(quality.trend.map((point) => [point.day, point.avg_score]));
  const categories = days.map(formatUtcDay);
  const values = (read: (point: ModelDetail['timeline'][number]) => number | null, absent: number | null) =>
    days.map((day) => {
      const point = byDay.get(day);
      return point ? read(point) : absent;
    });
  const base = { axis, categories } as const;
  return [
    {
      ...base,
      kind: 'bars',
      title: 'Daily calls',
      unit: '',
      stacked: true,
      format: formatCount,
      whole: true,
      series: [
        { name: 'Successful', values: values(({ calls, errors }) => calls - errors, 0), color: 1 },
        { name: 'Failed', values: values(({ errors }) => errors, 0), color: 'bad' },
      ],
    },
    // Omitted for a model without a price.
    ...(summary !== null && summary.unpriced_calls === summary.total_calls
      ? []
      : [
          {
            ...base,
            kind: 'bars' as const,
            title: 'Daily cost (USD)',
            unit: '',
            format: formatUsdPrecise,
            series: [{ name: 'Cost', values: values(({ cost }) => cost, 0), color: 3 }],
          },
        ]),
    {
      ...base,
      kind: 'lines',
      title: 'Latency',
      unit: 'daily mean',
      format: formatDuration,
      series: [
        { name: 'Full call', values: values(({ avg_latency }) => avg_latency, null), color: 1 },
        { name: 'First token', values: values(({ avg_ttft }) => avg_ttft, null), color: 2 },
      ],
    },
    {
      ...base,
      kind: 'bars',
      title: 'Daily tokens',
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
            unit: 'daily mean score',
            format: formatScore,
            series: [{ name: 'Mean score', values: days.map((day) => scores.get(day) ?? null), color: 5 }],
          },
        ]
      : []),
  ];
}
