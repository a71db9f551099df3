import { dayMs, hourMs } from '../durations.ts';

export const intervalNames = ['minute', '5m', '15m', 'hour', '6h', 'day', 'week', 'month'] as const;
export type IntervalName = (typeof intervalNames)[number];

/** Maximum buckets of an answer. */
export const maxMetricBuckets = 2_000;
/** Buckets that `auto` comes near to. */
const wantedBuckets = 50;

const minuteMs = 60_000;
/** Milliseconds of the intervals of one length. */
const lengths: Readonly<Record<Exclude<IntervalName, 'month'>, number>> = {
  minute: minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  hour: hourMs,
  '6h': 6 * hourMs,
  day: dayMs,
  week: 7 * dayMs,
};
/** A Monday. */
const firstMondayMs = 4 * dayMs;

/** The buckets of a window: aligned in UTC, weeks to Monday. The first and the last may lie in it in part. */
export interface MetricBuckets {
  interval: IntervalName;
  /** Epoch milliseconds of the start of the first one, before or at the start of the window. */
  startMs: number;
  /** Milliseconds of each; null for months. */
  lengthMs: number | null;
  count: number;
}

const monthOf = (ms: number): number => {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** The buckets of a window. @param fromMs inclusive @param beforeMs exclusive, epoch milliseconds */
export function bucketsOf(interval: IntervalName, fromMs: number, beforeMs: number): MetricBuckets {
  const lastMs = Math.max(beforeMs - 1, fromMs);
  if (interval === 'month') {
    const first = monthOf(fromMs);
    return { interval, startMs: monthStart(first), lengthMs: null, count: monthOf(lastMs) - first + 1 };
  }
  const lengthMs = lengths[interval];
  const origin = interval === 'week' ? firstMondayMs : 0;
  const first = Math.floor((fromMs - origin) / lengthMs);
  const count = Math.floor((lastMs - origin) / lengthMs) - first + 1;
  return { interval, startMs: first * lengthMs + origin, lengthMs, count };
}

function monthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}

/** The start of a bucket, epoch milliseconds. @param index from 0; that of `count` is the end of the last one */
export function bucketStart({ startMs, lengthMs }: MetricBuckets, index: number): number {
  return lengthMs === null ? monthStart(monthOf(startMs) + index) : startMs + index * lengthMs;
}

/** The interval whose number of buckets is nearest to 50 by ratio. */
export function autoInterval(fromMs: number, beforeMs: number): IntervalName {
  const distance = (interval: IntervalName) => Math.abs(Math.log(bucketsOf(interval, fromMs, beforeMs).count / wantedBuckets));
  return intervalNames.reduce((best, interval) => (distance(interval) < distance(best) ? interval : best));
}
