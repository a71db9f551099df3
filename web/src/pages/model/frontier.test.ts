import { describe, expect, test } from 'vitest';
import type { FrontierPoint } from '../../api/wire.ts';
import { deltaInWords, frontierChart, paretoLine } from './frontier.ts';

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

test('the line joins the models that none beats in both', () => {
  const points = [
    point('dear and good', 9, 0.9),
    point('cheap', 1, 0.6),
    point('beaten', 5, 0.5),
    point('unknown', 2, null),
    point('middle', 5, 0.8),
  ];
  expect(paretoLine(points).map(({ model }) => model)).toEqual(['cheap', 'middle', 'dear and good']);
});

test('of two at the same cost the better one', () => {
  expect(paretoLine([point('worse', 1, 0.5), point('better', 1, 0.7)]).map(({ model }) => model)).toEqual(['better']);
});

test('the chart marks this model, and there is none without a quality', () => {
  const chart = frontierChart(
    point('this', 1, 0.5),
    [point('other', 2, 0.6), point('unknown', 3, null), point('unpriced', 0, 0.9)],
    new Set(['unpriced']),
  );
  expect(chart?.points.map(({ name, marked }) => [name, marked])).toEqual([
    ['this', true],
    ['other', false],
  ]);
  expect(frontierChart(point('this', 1, null), [], new Set())).toBeNull();
});

describe('deltas in words', () => {
  test.each([
    [{ costDeltaPct: 0.4, qualityDelta: -0.05 }, 'costs 40 % more and scores 0.05 higher'],
    [{ costDeltaPct: -0.25, qualityDelta: 0.12 }, 'costs 25 % less and scores 0.12 lower'],
    [{ costDeltaPct: 2.4, qualityDelta: null }, 'costs 3.4 times as much and has no quality to compare'],
    [{ costDeltaPct: 0, qualityDelta: 0 }, 'costs the same and scores the same'],
    [{ costDeltaPct: null, qualityDelta: 0.1 }, 'has no cost to compare and scores 0.1 lower'],
  ])('%j', (fields, words) => expect(deltaInWords({ ...point('other', 1, 0.5), ...fields })).toBe(words));

  test('what has no known price is not compared in cost', () => {
    expect(deltaInWords(point('other', 0, 0.5, { costDeltaPct: -1, qualityDelta: 0.2 }), true)).toBe(
      'has no cost to compare and scores 0.2 lower',
    );
  });
});
