import type { ModelDetail } from '../../api/wire.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { formatCount, formatDuration, formatScore, formatUsd } from '../../format/number-format.ts';
import { formatUtcDay } from '../../format/time-format.ts';

const axis = 'Day (UTC)';

/** The timeline as charts, over every day of the range: a day without calls has no row in the answer. */
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
      title: 'Calls',
      unit: 'a day',
      stacked: true,
      format: formatCount,
      whole: true,
      series: [
        { name: 'without error', values: values(({ calls, errors }) => calls - errors, 0), color: 1 },
        { name: 'failed', values: values(({ errors }) => errors, 0), color: 'bad' },
      ],
    },
    // Of a model without a price there would be nothing but $0.
    ...(summary !== null && summary.unpriced_calls === summary.total_calls
      ? []
      : [
          {
            ...base,
            kind: 'bars' as const,
            title: 'Cost',
            unit: 'US dollars a day',
            format: formatUsd,
            series: [{ name: 'Cost', values: values(({ cost }) => cost, 0), color: 3 }],
          },
        ]),
    {
      ...base,
      kind: 'lines',
      title: 'Latency',
      unit: 'mean of a day',
      format: formatDuration,
      series: [
        { name: 'whole call', values: values(({ avg_latency }) => avg_latency, null), color: 1 },
        { name: 'first token', values: values(({ avg_ttft }) => avg_ttft, null), color: 2 },
      ],
    },
    {
      ...base,
      kind: 'bars',
      title: 'Tokens',
      unit: 'a day',
      stacked: true,
      format: formatCount,
      whole: true,
      series: [
        { name: 'input', values: values(({ input_tokens, cached_tokens }) => input_tokens - cached_tokens, 0), color: 1 },
        { name: 'input from cache', values: values(({ cached_tokens }) => cached_tokens, 0), color: 2 },
        { name: 'output', values: values(({ output_tokens }) => output_tokens, 0), color: 4 },
      ],
    },
    ...(quality.hasData
      ? [
          {
            ...base,
            kind: 'lines' as const,
            title: 'Quality',
            unit: 'mean score of a day',
            format: formatScore,
            series: [{ name: 'Mean score', values: days.map((day) => scores.get(day) ?? null), color: 5 }],
          },
        ]
      : []),
  ];
}
