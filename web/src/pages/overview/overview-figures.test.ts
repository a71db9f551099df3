import { expect, test } from 'vitest';
import type { Overview } from '../../api/service.ts';
import type { Timeline } from '../../range.ts';
import { overviewCharts } from './overview-figures.ts';
import type { Picked } from './overview-figures.ts';

const day = (name: string, calls: number, cost: number, errors = 0) => ({
  day: name,
  calls,
  cost,
  errors,
  avg_latency: 5,
  p95_latency: 9,
});
const series = (calls: number, timeline: ReturnType<typeof day>[]) => ({ calls, timeline, trend: [] });
const overview = (parts: object): Overview =>
  ({
    totals: { timeline: [] },
    models: [],
    other_models: null,
    agents: [],
    other_agents: null,
    ...parts,
  }) as unknown as Overview;
const days: Timeline = {
  interval: 'day',
  starts: ['2026-11-19', '2026-11-20'],
  axis: 'Day (UTC)',
  labels: ['19 Nov', '20 Nov'],
};
const chartsOf = (data: Overview, by: 'model' | 'agent', open: (start: string, picked: Picked) => void = () => undefined) =>
  overviewCharts(data, by, days, open);
const shownIn = (data: Overview, by: 'model' | 'agent', title: string) =>
  chartsOf(data, by)
    .find((chart) => chart.title === title)
    ?.series.map(({ name, values }) => [name, values]);

test('the five leading models have their own series, all others share one, and days without calls are included', () => {
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

test('every chart has the same series in the same colours: the costliest, busiest and most failing models', () => {
  const models = [
    ...Array.from({ length: 6 }, (_, index) => ({
      model: `busy${index}`,
      ...series(20 - index, [day('2026-11-20', 20 - index, 0.001)]),
    })),
    { model: 'dear', ...series(1, [day('2026-11-20', 1, 900)]) },
    { model: 'failing', ...series(1, [day('2026-11-20', 1, 0, 1)]) },
  ];
  const charts = chartsOf(overview({ models }), 'model');
  const named = ['dear', 'busy0', 'failing', 'busy1', 'busy2'];
  const shown = charts.map((chart) => chart.series.filter(({ name }) => !/other|All/.test(name)));
  const colors = new Map(shown[1]?.map(({ name, color }) => [name, color]));
  expect([...colors.keys()]).toEqual(named);
  expect([...colors.values()].toSorted()).toEqual([1, 2, 3, 4, 5]);
  for (const [index, series_] of shown.entries())
    for (const { name, color } of series_) expect(color, `${charts[index]?.title}: ${name}`).toBe(colors.get(name) ?? 6);
});

test('error rate and p95 are shown over time, by model and for all calls', () => {
  const data = overview({
    totals: { timeline: [{ ...day('2026-11-20', 4, 1, 1), p95_latency: 7 }] },
    models: [{ model: 'm', ...series(2, [day('2026-11-20', 2, 1, 1)]) }],
  });
  expect(shownIn(data, 'model', 'Error rate')).toEqual([
    ['m', [null, 0.5]],
    ['All calls', [null, 0.25]],
  ]);
  expect(shownIn(data, 'model', 'Latency p95')).toEqual([
    ['m', [null, 9]],
    ['All calls', [null, 7]],
  ]);
  expect(chartsOf(data, 'model').find(({ title }) => title === 'Error rate')?.limit).toBe(1);
});

test('a bar opens its traces: those of its day, its model, and failed ones where errors are shown', () => {
  const opened: Array<[string, Picked]> = [];
  const data = overview({ models: [{ model: 'm', ...series(2, [day('2026-11-20', 2, 1, 1)]) }] });
  const charts = chartsOf(data, 'model', (start, picked) => opened.push([start, picked]));
  charts.find(({ title }) => title === 'Daily calls')?.open?.(1, 'm');
  charts.find(({ title }) => title === 'Daily failed calls')?.open?.(0, null);
  charts.find(({ title }) => title === 'Error rate')?.open?.(1, 'All calls');
  charts.find(({ title }) => title === 'Daily calls')?.open?.(9, 'm');
  expect(opened).toEqual([
    ['2026-11-20', { model: 'm' }],
    ['2026-11-19', { status: 'error' }],
    ['2026-11-20', { status: 'error' }],
  ]);
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

test('a name keeps its colour in another range', () => {
  const models = (names: readonly string[]) => names.map((model) => ({ model, ...series(1, [day('2026-11-20', 1, 1)]) }));
  const colorOf = (names: readonly string[], name: string) =>
    chartsOf(overview({ models: models(names) }), 'model')[1]?.series.find((one) => one.name === name)?.color;
  expect(colorOf(['gpt-4o', 'haiku'], 'haiku')).toBe(colorOf(['haiku'], 'haiku'));
  expect(colorOf(['haiku', 'gpt-4o'], 'gpt-4o')).toBe(colorOf(['gpt-4o'], 'gpt-4o'));
});

test('the model with the highest error rate has a line in Error rate, however few its calls', () => {
  const busy = Array.from({ length: 6 }, (_, index) => ({
    model: `busy${index}`,
    ...series(100, [day('2026-11-20', 100, 9 + index, 10 + index)]),
  }));
  const worst = { model: 'worst', ...series(2, [day('2026-11-20', 2, 0, 2)]) };
  const data = overview({ models: [...busy, worst] });
  expect(shownIn(data, 'model', 'Error rate')).toContainEqual(['worst', [null, 1]]);
  expect(shownIn(data, 'model', 'Daily calls')?.map(([name]) => name)).not.toContain('worst');
});
