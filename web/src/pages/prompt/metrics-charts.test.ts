import { expect, test } from 'vitest';
import { metricsCharts } from './metrics-charts.ts';

const figures = {
  costUsd: 2,
  unpricedCalls: 0,
  partlyPricedCalls: 0,
  avgLatencyMs: 500,
  errorRate: 0.25,
  avgScore: null,
  evalCount: 0,
};

test('versions are in ascending order, and a version without calls has no mean', () => {
  const charts = metricsCharts([
    { ...figures, version: 12, calls: 8 },
    { ...figures, version: 3, calls: 0, costUsd: 0, errorRate: 0, avgScore: 0.5, evalCount: 2 },
  ]);
  expect(charts.map(({ title }) => title)).toEqual(['Calls', 'Cost per call (USD)', 'Latency', 'Error rate', 'Score']);
  expect(charts[0]?.categories).toEqual(['v3', 'v12']);
  expect(charts[0]?.series.map(({ values }) => values)).toEqual([
    [0, 6],
    [0, 2],
  ]);
  expect(charts[1]?.series[0]?.values).toEqual([null, 0.25]);
  expect(charts[4]?.series[0]?.values).toEqual([0.5, null]);
});

test('there is no score chart without scores', () => {
  expect(metricsCharts([{ ...figures, version: 1, calls: 1 }]).map(({ title }) => title)).not.toContain('Score');
});
