import { expect, test } from 'vitest';
import type { OutcomeSummary } from '../../api/service.ts';
import { currencyTotals, kindsWithCurrencies, mostFirst, outcomeCharts } from './outcome-figures.ts';

const starts = ['2026-11-19', '2026-11-20'];
const timeline = { interval: 'day', starts, axis: 'Day (UTC)', labels: ['19', '20'] } as const;

type Day = OutcomeSummary['timeline'][number];

function summaryOf(days: ReadonlyArray<Partial<Day>>): OutcomeSummary {
  const rows = days.map((day) => ({
    day: starts[0] ?? '',
    kind: 'k',
    currency: 'USD',
    count: 1,
    successCount: 0,
    value: 0,
    ...day,
  }));
  const costs = {
    cost: 0,
    unpricedCalls: 0,
    partlyPricedCalls: 0,
    costPerOutcome: 0,
    costPerSuccess: null,
    judgedCount: 0,
    successRate: null,
  };
  return { timeline: rows, totals: rows.map(({ day: _day, ...row }) => ({ ...row, ...costs })), byAgent: [], byModel: [] };
}

test('kinds are stacked by day, currencies apart', () => {
  const charts = outcomeCharts(
    summaryOf([
      { kind: 'a', count: 2, value: 5 },
      { kind: 'b', count: 7, successCount: 3, value: 1, currency: 'EUR' },
      { kind: 'a', count: 1, value: -2, currency: 'EUR', day: '2026-11-20' },
    ]),
    timeline,
  );
  expect(charts.map(({ title, series }) => [title, series.map(({ name, values }) => [name, values])])).toEqual([
    [
      'Daily outcomes',
      [
        ['b', [7, 0]],
        ['a', [2, 1]],
      ],
    ],
    ['Daily successful outcomes', [['b', [3, 0]]]],
    [
      'Daily value (EUR)',
      [
        ['b', [1, 0]],
        ['a', [0, -2]],
      ],
    ],
    ['Daily value (USD)', [['a', [5, 0]]]],
  ]);
});

test('kinds beyond the fifth are one series', () => {
  const summary = summaryOf(Array.from({ length: 7 }, (_, index) => ({ kind: `k${index}`, count: 10 - index })));
  const [chart] = outcomeCharts(summary, timeline);
  expect(chart?.series.map(({ name, color }) => [name, color])).toEqual([
    ['k0', 1],
    ['k1', 2],
    ['k2', 3],
    ['k3', 4],
    ['k4', 5],
    ['Others', 6],
  ]);
  expect(chart?.series.at(-1)?.values).toEqual([9, 0]);
});

test('values are added up within a currency', () => {
  const summary = summaryOf([{ value: 5 }, { value: 2, count: 9, currency: 'EUR' }, { value: 1 }, { currency: 'JPY' }]);
  expect(currencyTotals(summary)).toEqual([
    { currency: 'EUR', value: 2 },
    { currency: 'USD', value: 6 },
  ]);
});

test('kinds in several currencies are told apart', () => {
  const row = (kind: string, currency: string) => ({ kind, currency });
  const rows = [row('a', 'USD'), row('b', 'USD'), row('b', 'EUR'), row('a', 'USD')];
  expect([...kindsWithCurrencies(rows)]).toEqual(['b']);
});

test('the rows with the most outcomes come first', () => {
  expect(mostFirst([{ count: 1 }, { count: 3 }, { count: 2 }]).map(({ count }) => count)).toEqual([3, 2, 1]);
});
