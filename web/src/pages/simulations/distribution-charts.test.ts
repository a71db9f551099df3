import { expect, test } from 'vitest';
import { distributionCharts } from './distribution-charts.ts';

test('ranges become bars beside the baseline, without empty ones at the end', () => {
  const latencyMs = [
    { from: 0, to: 500, count: 3, baseline: 1 },
    { from: 500, to: 1_000, count: 0, baseline: 2 },
    { from: 1_000, to: null, count: 0, baseline: 0 },
  ];
  expect(distributionCharts({ latencyMs, costUsd: [] })).toMatchObject([
    {
      title: 'Latency',
      categories: ['0ms to 500ms', '500ms to 1s'],
      series: [
        { name: 'This run', values: [3, 0] },
        { name: 'Baseline', values: [1, 2] },
      ],
    },
  ]);
});

test('without a baseline there is one series, and the last range has no end', () => {
  const costUsd = [{ from: 0.5, to: null, count: 2, baseline: null }];
  expect(distributionCharts({ latencyMs: [], costUsd })).toMatchObject([
    { title: 'Cost', categories: ['$0.50 or more'], series: [{ values: [2] }] },
  ]);
});
