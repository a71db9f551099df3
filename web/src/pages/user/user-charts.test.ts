import { expect, test } from 'vitest';
import type { ApplicationUserDetail } from '../../api/service.ts';
import { userCharts } from './user-charts.ts';

const starts = ['2026-11-19', '2026-11-20'];
const rows = { interval: 'day', starts, axis: 'Day (UTC)', labels: ['19', '20'] } as const;

function detailOf(user: Partial<ApplicationUserDetail['user']>): Pick<ApplicationUserDetail, 'user' | 'timeline'> {
  const figures = { traces: 2, calls: 4, errors: 1, unpricedCalls: 0, partlyPricedCalls: 0, costUsd: 0.5 };
  return {
    user: {
      userId: 'ada',
      firstSeen: '',
      lastSeen: '',
      sessions: 0,
      inputTokens: 0,
      outputTokens: 0,
      avgScore: null,
      evalCount: 0,
      outcomes: 0,
      successRate: null,
      costPerSuccess: null,
      ...figures,
      ...user,
    },
    timeline: [{ day: '2026-11-20', ...figures }],
  };
}

test('days without a trace are zero, and a bar opens its day', () => {
  const opened: string[] = [];
  const charts = userCharts(detailOf({}), rows, (start) => opened.push(start));
  expect(charts.map(({ title, series }) => [title, series[0]?.values])).toEqual([
    ['Daily traces', [0, 2]],
    ['Daily cost (USD)', [0, 0.5]],
    ['Daily failed spans', [0, 1]],
  ]);
  charts[0]?.open?.(1, null);
  expect(opened).toEqual(['2026-11-20']);
});

test('a cost that is not known and failures that are not there have no chart', () => {
  const charts = userCharts(detailOf({ costUsd: 0, unpricedCalls: 4, errors: 0 }), rows, () => undefined);
  expect(charts.map(({ title }) => title)).toEqual(['Daily traces']);
});
