import { expect, test } from 'vitest';
import { overTimeCharts, rangeOfBuckets } from './over-time.ts';

const bucketMs = 3_600_000;
const counted = {
  noun: 'span',
  bucketMs,
  count: 7,
  errors: 2,
  buckets: [
    { start: '2026-11-29T10:00:00.000Z', count: 5, errors: 2, costUsd: 0.5 },
    { start: '2026-11-29T11:00:00.000Z', count: 2, errors: 0, costUsd: 0 },
  ],
};

test('a bucket is its whole time, without the first moment of the next', () => {
  expect(rangeOfBuckets(counted, 0, 0)).toEqual({ from: '2026-11-29T10:00:00.000Z', to: '2026-11-29T10:59:59.999Z' });
  expect(rangeOfBuckets(counted, 0, 1)).toEqual({ from: '2026-11-29T10:00:00.000Z', to: '2026-11-29T11:59:59.999Z' });
  expect(rangeOfBuckets(counted, 1, 2)).toBeNull();
});

test('the bars of a time add up to its records, and costs stand beside them', () => {
  const opened: number[] = [];
  const [number, cost] = overTimeCharts(counted, (bucket) => opened.push(bucket));
  expect(number).toMatchObject({ title: 'Spans', unit: 'per 1h', stacked: true });
  expect(number?.series.map(({ values }) => values)).toEqual([
    [3, 2],
    [2, 0],
  ]);
  expect(cost).toMatchObject({ title: 'Cost of model calls', unit: 'USD per 1h', series: [{ values: [0.5, 0] }] });
  cost?.open?.(1, null);
  expect(opened).toEqual([1]);
});
