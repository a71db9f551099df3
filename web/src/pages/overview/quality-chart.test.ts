import { expect, test } from 'vitest';
import type { EvaluatorSummary } from '../../api/service.ts';
import { timelineOf } from '../../range.ts';
import { qualityChart } from './quality-chart.ts';

const days = timelineOf({ from: '2026-11-19T00:00:00.000Z' }, Date.parse('2026-11-20T12:00:00Z'), undefined, 'day');
const summary = (evaluator: string, count: number, means: Record<string, number | null>) =>
  ({
    evaluator,
    count,
    avg: Object.values(means).find((mean) => mean !== null) ?? null,
    timeline: Object.entries(means).map(([day, avg]) => ({ day, count: 1, avg, passRate: null })),
  }) as unknown as EvaluatorSummary;

test('each evaluator has its own line, those with the most scores, by name; labels have none', () => {
  const many = Array.from({ length: 5 }, (_, index) => summary(`e${index}`, 10 + index, { '2026-11-20': 0.5 }));
  const evaluators = [summary('a-few', 2, { '2026-11-20': 1 }), summary('labels', 99, { '2026-11-19': null }), ...many];
  const chart = qualityChart(evaluators, days, () => undefined);
  expect(chart?.series.map(({ name, values }) => [name, values])).toEqual(many.map(({ evaluator }) => [evaluator, [null, 0.5]]));
  expect(chart?.limit).toBe(1);
  expect(qualityChart([summary('labels', 9, { '2026-11-19': null })], days, () => undefined)).toBeNull();
});

test('a scale beyond 1 is no share; a line opens its day and its evaluator', () => {
  const opened: unknown[] = [];
  const chart = qualityChart([summary('tone', 2, { '2026-11-19': 4 })], days, (...where) => opened.push(where));
  expect(chart?.limit).toBeUndefined();
  chart?.open?.(0, 'tone');
  chart?.open?.(7, 'tone');
  expect(opened).toEqual([['2026-11-19', 'tone']]);
});
