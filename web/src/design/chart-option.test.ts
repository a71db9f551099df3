import { expect, test } from 'vitest';
import type { CategoryChart } from './chart-model.ts';
import { chartOption, tooltipRows } from './chart-option.ts';
import { valueEnd } from './scatter-option.ts';
import type { ThemeColors } from './theme.ts';

test('an axis does not go beyond the end of the scale', () => {
  const colors = { series: [] } as unknown as ThemeColors;
  const chart: CategoryChart = {
    kind: 'lines',
    title: 'Error rate',
    unit: '',
    axis: 'Day',
    categories: ['20 Nov'],
    series: [{ name: 'm', values: [0.9] }],
    format: String,
  };
  const axisOf = (value: number, limit?: number) =>
    chartOption({ ...chart, ...(limit === undefined ? {} : { limit }), series: [{ name: 'm', values: [value, null] }] }, colors)[
      'yAxis'
    ];
  expect(axisOf(0.9)).not.toHaveProperty('max');
  expect(axisOf(0.02, 1)).not.toHaveProperty('max');
  expect(axisOf(0.97, 1)).toMatchObject({ max: 1, interval: 0.25 });
  expect(axisOf(1, 1)).toMatchObject({ max: 1 });
  expect(axisOf(0, 1)).toMatchObject({ max: 1 });
  expect(axisOf(0)).not.toHaveProperty('max');
});

test('an axis starts at 0, and goes below it for negative values only', () => {
  const colors = { series: [] } as unknown as ThemeColors;
  const chart: CategoryChart = {
    kind: 'bars',
    title: 'Daily value',
    unit: '',
    axis: 'Day',
    categories: ['20 Nov'],
    series: [{ name: 'a', values: [2] }],
    format: String,
  };
  expect(chartOption(chart, colors)['yAxis']).toMatchObject({ min: 0 });
  const signed = chartOption({ ...chart, series: [...chart.series, { name: 'b', values: [-1] }] }, colors);
  expect(signed['yAxis']).not.toHaveProperty('min');
  expect(signed['xAxis']).toMatchObject({ axisLine: { onZero: false } });
});

test('a point of a line without neighbours is drawn', () => {
  const colors = { series: [] } as unknown as ThemeColors;
  const chart: CategoryChart = {
    kind: 'lines',
    title: 'Latency',
    unit: '',
    axis: 'Day',
    categories: ['18 Nov', '19 Nov', '20 Nov', '21 Nov'],
    series: [{ name: 'm', values: [1, null, 2, 3] }],
    format: String,
  };
  const [line] = chartOption(chart, colors)['series'] as Array<{ data: Array<{ symbol: string }> }>;
  expect(line?.data.map(({ symbol }) => symbol)).toEqual(['circle', 'none', 'none', 'none']);
});

test('an axis of counts shows whole numbers only', () => {
  const colors = { series: [] } as unknown as ThemeColors;
  const chart: CategoryChart = {
    kind: 'bars',
    title: 'Calls',
    unit: 'a day',
    axis: 'Day',
    categories: ['20 Nov'],
    series: [{ name: 'm', values: [1] }],
    format: String,
  };
  expect(chartOption({ ...chart, whole: true }, colors)['yAxis']).toHaveProperty('minInterval', 1);
  expect(chartOption(chart, colors)['yAxis']).not.toHaveProperty('minInterval');
});

test('the axis of a scatter plot ends with the scale only if its points are near the end', () => {
  const chart = (...scores: number[]) => ({
    kind: 'scatter' as const,
    title: '',
    unit: '',
    x: { name: 'x', format: String },
    y: { name: 'y', format: String, limit: 1 },
    points: scores.map((y) => ({ name: 'm', x: 1, y })),
  });
  expect(valueEnd(chart(0.8, 0.85))).toEqual({});
  expect(valueEnd(chart(0.5, 0.95))).toEqual({ max: 1 });
  expect(valueEnd(chart(1))).toEqual({ max: 1 });
  expect(valueEnd(chart(0.5, 1.2))).toEqual({});
});

const stacked: CategoryChart = {
  kind: 'bars',
  stacked: true,
  title: 'Daily calls',
  unit: '',
  axis: 'Day',
  categories: ['19 Nov', '20 Nov'],
  series: [{ name: 'a', values: [1, 2] }],
  format: String,
};

test('a tooltip of stacked bars ends with their sum', () => {
  const item = (seriesName: string, value: number | null) => ({ seriesName, value, color: 'red' });
  const values = (chart: CategoryChart, ...items: ReturnType<typeof item>[]) =>
    tooltipRows(chart, items).map(([name, value]) => [name, value]);
  expect(values(stacked, item('a', 1), item('b', 2), item('c', null))).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['Total', '3'],
  ]);
  expect(values(stacked, item('a', 1))).toEqual([['a', '1']]);
  expect(values({ ...stacked, stacked: false }, item('a', 1), item('b', 2))).toHaveLength(2);
});

test('the bars of a category that has not ended are hatched', () => {
  const colors = { series: [] } as unknown as ThemeColors;
  const dataOf = (chart: CategoryChart) => (chartOption(chart, colors)['series'] as Array<{ data: unknown[] }>)[0]?.data;
  expect(dataOf(stacked)).toEqual([1, 2]);
  expect(dataOf({ ...stacked, unfinished: true })).toEqual([
    1,
    { value: 2, itemStyle: { decal: expect.objectContaining({ symbol: 'rect' }) } },
  ]);
});
