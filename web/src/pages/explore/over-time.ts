import type { CategoryChart } from '../../design/chart-model.ts';
import { formatCount, formatDuration, formatUsd } from '../../format/number-format.ts';
import { formatMoment } from '../../format/time-format.ts';

/** The records that match, over time. */
export interface Counted {
  noun: string;
  buckets: ReadonlyArray<{ start: string; count: number; errors: number; costUsd: number }>;
  bucketMs: number;
  count: number;
  errors: number;
  /** Of spans: the calls of models among them, and what these cost in US dollars. */
  calls?: { count: number; costUsd: number };
}

/** The time of the buckets from one to another, both included, as a range of the page. Pure function. */
export function rangeOfBuckets(
  { buckets, bucketMs }: Pick<Counted, 'buckets' | 'bucketMs'>,
  first: number,
  last: number,
): { from: string; to: string } | null {
  const [start, end] = [buckets[first]?.start, buckets[last]?.start];
  if (start === undefined || end === undefined) return null;
  return { from: start, to: new Date(Date.parse(end) + bucketMs - 1).toISOString() };
}

/** What a list has over time: its records, the failed ones among them, and their costs. Pure function. @param open opens a bucket */
export function overTimeCharts(counted: Counted, open: (bucket: number) => void): CategoryChart[] {
  const { buckets, bucketMs, noun } = counted;
  const unit = `per ${formatDuration(bucketMs)}`;
  const shared = {
    kind: 'bars' as const,
    axis: 'Start',
    categories: buckets.map(({ start }) => formatMoment(start)),
    stacked: true,
    open,
  };
  return [
    {
      ...shared,
      title: noun === 'span' ? 'Spans' : 'Traces',
      unit,
      series: [
        { name: 'Not failed', color: 1, values: buckets.map(({ count, errors }) => count - errors) },
        { name: 'Failed', color: 'bad', values: buckets.map(({ errors }) => errors) },
      ],
      format: formatCount,
      whole: true,
    },
    {
      ...shared,
      title: noun === 'span' ? 'Cost of model calls' : 'Cost',
      unit: `USD ${unit}`,
      series: [{ name: 'Cost', color: 1, values: buckets.map(({ costUsd }) => costUsd) }],
      format: formatUsd,
    },
  ];
}
