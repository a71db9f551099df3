import { describe, expect, test } from 'vitest';
import type { FrontierPoint } from '../../api/wire.ts';
import { comparisonLabel, frontierChart, paretoLine } from './frontier.ts';

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
  expect(paretoLine(points).map(({ model }) => model)).toEqual(['cheap', 'middle', 'expensive and good']);
});

test('the better of two models at the same cost', () => {
  expect(paretoLine([point('worse', 1, 0.5), point('better', 1, 0.7)]).map(({ model }) => model)).toEqual(['better']);
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

test('there is no line through a single point', () => {
  expect(frontierChart(point('this', 1, 0.5), [point('worse', 2, 0.4)], new Set())).not.toHaveProperty('line');
});

describe('comparison labels', () => {
  test.each([
    [{ costDeltaPct: 15, qualityDelta: -0.11 }, '94% cheaper, 0.11 lower quality'],
    [{ costDeltaPct: 0.25, qualityDelta: -0.05 }, '20% cheaper, 0.05 lower quality'],
    [{ costDeltaPct: -0.2, qualityDelta: 0.12 }, '25% more expensive, 0.12 higher quality'],
    [{ costDeltaPct: -0.75, qualityDelta: null }, '4× the cost, quality not comparable'],
    [{ costDeltaPct: 0, qualityDelta: 0 }, 'same cost, same quality'],
    [{ costDeltaPct: null, qualityDelta: 0.1 }, 'cost not comparable, 0.1 higher quality'],
    [{ costDeltaPct: -1, qualityDelta: 0 }, 'cost not comparable, same quality'],
  ])('%j', (fields, label) => expect(comparisonLabel({ ...point('other', 1, 0.5), ...fields })).toBe(label));

  test('the cost of an unpriced model is not compared', () => {
    expect(comparisonLabel(point('other', 0, 0.5, { costDeltaPct: 1, qualityDelta: 0.2 }), true)).toBe(
      'cost not comparable, 0.2 higher quality',
    );
  });
});
