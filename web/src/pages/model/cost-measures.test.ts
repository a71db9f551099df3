import { expect, test } from 'vitest';
import type { OutcomeSummary } from '../../api/service.ts';
import { perCall, successMeasures } from './cost-measures.ts';

const row = (kind: string, currency: string, successCount: number) => ({
  kind,
  currency,
  count: 9,
  successCount,
  value: 0,
  cost: 6,
  unpricedCalls: 0,
  partlyPricedCalls: 0,
});
const total = (kind: string, currency: string, successCount: number): OutcomeSummary['totals'][number] => ({
  ...row(kind, currency, successCount),
  judgedCount: successCount,
  successRate: null,
  costPerOutcome: 1,
  costPerSuccess: null,
});

test('each kind with a success is a measure, its currencies apart', () => {
  const measures = successMeasures({
    totals: [total('failed', 'USD', 0), total('order', 'EUR', 1), total('order', 'USD', 2), total('ticket', 'USD', 3)],
    timeline: [],
    byAgent: [],
    byModel: [
      { model: 'm', ...row('order', 'EUR', 1), costPerSuccess: 6 },
      { model: 'm', ...row('order', 'USD', 2), costPerSuccess: 3 },
      { model: 'n', ...row('order', 'USD', 0), costPerSuccess: null },
    ],
  });
  expect(measures.map(({ id, name }) => [id, name])).toEqual([
    ['order:EUR', 'Cost per success: order, EUR'],
    ['order:USD', 'Cost per success: order, USD'],
    ['ticket:USD', 'Cost per success: ticket'],
  ]);
  const costs = ['m', 'n', 'other'].map((model) => measures[1]?.costOf({ model, avgCostUsd: 1 }));
  expect(costs).toEqual([3, null, null]);
  expect(perCall.costOf({ model: 'm', avgCostUsd: 1 })).toBe(1);
});
