import { expect, test } from 'vitest';
import type { Overview } from '../../api/wire.ts';
import { overviewCharts } from './overview-figures.ts';

const day = (name: string, calls: number, cost: number) => ({ day: name, calls, cost, errors: 0, avg_latency: 5 });
const series = (calls: number, timeline: ReturnType<typeof day>[]) => ({ calls, timeline, trend: [] });
const overview = (parts: object): Overview =>
  ({ models: [], other_models: null, agents: [], other_agents: null, ...parts }) as unknown as Overview;
const days = ['2026-11-19', '2026-11-20'];
const shownIn = (data: Overview, by: 'model' | 'agent', title: string) =>
  overviewCharts(data, by, days)
    .find((chart) => chart.title === title)
    ?.series.map(({ name, values }) => [name, values]);

test('the five largest models have their own series, all others share one, and days without calls are included', () => {
  const models = Array.from({ length: 8 }, (_, index) => ({
    model: `m${index}`,
    ...series(index, [day('2026-11-20', index, index + 1)]),
  }));
  const others = { count: 4, ...series(9, [day('2026-11-19', 9, 0.5)]) };
  expect(shownIn(overview({ models, other_models: others }), 'model', 'Daily cost (USD)')).toEqual([
    ['m7', [0, 8]],
    ['m6', [0, 7]],
    ['m5', [0, 6]],
    ['m4', [0, 5]],
    ['m3', [0, 4]],
    ['7 others', [0.5, 6]],
  ]);
});

test('each chart has its own top series, and a model has the same colour in all charts', () => {
  const models = [
    ...Array.from({ length: 6 }, (_, index) => ({
      model: `busy${index}`,
      ...series(20 - index, [day('2026-11-20', 20 - index, 0.001)]),
    })),
    { model: 'dear', ...series(1, [day('2026-11-20', 1, 900)]) },
  ];
  const charts = overviewCharts(overview({ models }), 'model', days);
  const namesOf = (title: string) => charts.find((chart) => chart.title === title)?.series.map(({ name }) => name);
  expect(namesOf('Daily cost (USD)')).toEqual(['dear', 'busy0', 'busy1', 'busy2', 'busy3', '2 others']);
  expect(namesOf('Daily calls')).toEqual(['busy0', 'busy1', 'busy2', 'busy3', 'busy4', '2 others']);
  const colors = new Map<string, Set<unknown>>();
  for (const { name, color } of charts.flatMap((chart) => chart.series))
    colors.set(name, (colors.get(name) ?? new Set()).add(color));
  expect([...colors.values()].map(({ size }) => size)).toEqual([...colors.keys()].map(() => 1));
});

test('a single other model is named', () => {
  const models = Array.from({ length: 6 }, (_, index) => ({
    model: `m${index}`,
    ...series(9 - index, [day('2026-11-20', 1, 1)]),
  }));
  expect(shownIn(overview({ models }), 'model', 'Daily calls')?.at(-1)).toEqual(['m5', [0, 1]]);
});

test('calls without an agent complete the bars by agent', () => {
  const data = overview({
    models: [{ model: 'm', ...series(5, [day('2026-11-19', 2, 0.3), day('2026-11-20', 3, 0.3)]) }],
    agents: [
      { agent_name: 'a', ...series(2, [day('2026-11-19', 1, 0.1), day('2026-11-20', 1, 0.1)]) },
      { agent_name: 'b', ...series(1, [day('2026-11-19', 1, 0.2)]) },
    ],
  });
  expect(shownIn(data, 'agent', 'Daily calls')).toEqual([
    ['a', [1, 1]],
    ['b', [1, 0]],
    ['No agent', [0, 2]],
  ]);
  // 0.3 less 0.1 and 0.2 is nothing, whatever binary fractions say.
  expect(shownIn(data, 'agent', 'Daily cost (USD)')?.at(-1)).toEqual(['No agent', [0, 0.3 - 0.1]]);
});

test('quality is always by model', () => {
  const trend = [{ day: '2026-11-20', eval_count: 1, avg_score: 0.5 }];
  const data = overview({ models: [{ model: 'm', ...series(1, []), trend }] });
  for (const by of ['model', 'agent'] as const) expect(shownIn(data, by, 'Quality')).toEqual([['m', [null, 0.5]]]);
});
