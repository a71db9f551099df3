import { expect, test } from 'vitest';
import type { ListedModel, ModelDetail } from '../../api/wire.ts';
import { agentsOf, overviewCharts, totalsOf } from './overview-figures.ts';

const listed = (fields: Partial<ListedModel>): ListedModel =>
  ({
    total_calls: 0,
    unpriced_calls: 0,
    total_cost: 0,
    error_count: 0,
    eval_count: 0,
    avg_eval_score: null,
    p95_latency: 0,
    ...fields,
  }) as ListedModel;

test('totals weigh quality by evaluations', () => {
  const totals = totalsOf([
    listed({ model: 'a', total_calls: 10, total_cost: 1, eval_count: 1, avg_eval_score: 1, p95_latency: 5 }),
    listed({ model: 'b', total_calls: 5, total_cost: 2, unpriced_calls: 5, eval_count: 3, avg_eval_score: 0.5, p95_latency: 9 }),
  ]);
  expect(totals).toMatchObject({ calls: 15, costUsd: 3, unpricedCalls: 5, quality: 0.625, evaluations: 4 });
  expect(totals.slowest?.model).toBe('b');
  expect(totalsOf([]).quality).toBeNull();
});

const detail = (model: string, costs: Record<string, number>, calls = 1): ModelDetail =>
  ({
    model,
    summary: { total_calls: calls },
    timeline: Object.entries(costs).map(([day, cost]) => ({ day, cost, calls: 1, errors: 0, avg_latency: 5 })),
    usage: { agents: [{ agent_name: 'x', calls: 4, cost: 1, error_rate: 0.25, avg_latency: 1 }], operations: [] },
    quality: { trend: [] },
  }) as unknown as ModelDetail;

test('agents are summed up over models', () => {
  expect(agentsOf([detail('a', {}), detail('b', {})])).toEqual([{ name: 'x', calls: 8, costUsd: 2, errors: 2, models: 2 }]);
});

test('the busiest five models have a colour of their own, days without calls are there', () => {
  const details = Array.from({ length: 8 }, (_, index) => detail(`m${index}`, { '2026-11-20': index + 1 }, index));
  const [cost] = overviewCharts(details, ['2026-11-19', '2026-11-20']);
  expect(cost?.series.map(({ name, values }) => [name, values])).toEqual([
    ['m7', [0, 8]],
    ['m6', [0, 7]],
    ['m5', [0, 6]],
    ['m4', [0, 5]],
    ['m3', [0, 4]],
    ['3 others', [0, 6]],
  ]);
});
