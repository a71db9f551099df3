import { expect, test } from 'vitest';
import type { FrontierPoint } from '../../api/service.ts';
import { perCall } from './cost-measures.ts';
import { frontierChart, paretoLine } from './frontier.ts';

const point = (
  model: string,
  avgCostUsd: number,
  avgEvalScore: number | null,
  rest: Partial<FrontierPoint> = {},
): FrontierPoint => ({
  model,
  avgCostUsd,
  avgEvalScore,
  callCount: 10,
  totalCost: avgCostUsd * 10,
  unpricedCalls: 0,
  partlyPricedCalls: 0,
  evalCount: avgEvalScore === null ? 0 : 5,
  ...rest,
});

test('the line is the Pareto frontier', () => {
  const points = [
    point('expensive and good', 9, 0.9),
    point('cheap', 1, 0.6),
    point('dominated', 5, 0.5),
    point('unknown', 2, null),
    point('middle', 5, 0.8),
  ];
  const names = frontierChart(null, points, new Set())?.line?.points.map(({ name }) => name);
  expect(names).toEqual(['cheap', 'middle', 'expensive and good']);
});

test('the better of two models at the same cost', () => {
  const worse = { name: 'worse', x: 1, y: 0.5 };
  expect(paretoLine([worse, { ...worse, name: 'better', y: 0.7 }]).map(({ name }) => name)).toEqual(['better']);
});

test('the chart marks this model; there is no chart without quality', () => {
  const chart = frontierChart(
    point('this', 1, 0.5),
    [point('other', 2, 0.6), point('unknown', 3, null), point('unpriced', 0, 0.9)],
    new Set(['unpriced']),
  );
  expect(chart?.points.map(({ name, marked }) => [name, marked])).toEqual([
    ['this', true],
    ['other', false],
  ]);
  expect(chart?.line?.points.map(({ name }) => name)).toEqual(['this', 'other']);
  expect(frontierChart(point('this', 1, null), [], new Set())).toBeNull();
});

test('models without a successful outcome are left out of the cost per success', () => {
  const costs = new Map([['this', 8]]);
  const measure = { ...perCall, name: 'Cost per success: k', costOf: ({ model }: { model: string }) => costs.get(model) ?? null };
  const chart = frontierChart(point('this', 1, 0.5), [point('other', 2, 0.6)], new Set(), measure);
  expect(chart?.points.map(({ name, x }) => [name, x])).toEqual([['this', 8]]);
  expect(chart?.x.name).toBe('Cost per success: k');
});

test('there is no line through a single point', () => {
  expect(frontierChart(point('this', 1, 0.5), [point('worse', 2, 0.4)], new Set())).not.toHaveProperty('line');
});
