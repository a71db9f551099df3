import { expect, test } from 'vitest';
import { trendOf } from './score-trend.ts';

const day = (avg: number | null, count = 1) => ({ day: '2026-11-20', count, avg, passRate: null });

test('bars are means from 0, or from the lowest below it', () => {
  expect(trendOf({ type: 'number', timeline: [day(0.5), day(1)] })).toEqual([0.55, 1.05]);
  expect(trendOf({ type: 'number', timeline: [day(-1), day(1)] })).toEqual([0.1, 2.1]);
});

test('bars of labels alone are their number, of the last 30 days', () => {
  expect(trendOf({ type: 'category', timeline: [day(null, 3), day(null, 5)] })).toEqual([3, 5]);
  expect(trendOf({ type: 'category', timeline: Array.from({ length: 40 }, (_, n) => day(null, n)) })).toHaveLength(30);
});
