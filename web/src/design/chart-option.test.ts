import { expect, test } from 'vitest';
import type { CategoryChart } from './chart-model.ts';
import { chartOption } from './chart-option.ts';
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
  const axisOf = (model: CategoryChart) => chartOption(model, colors)['yAxis'] as { max?: (extent: { max: number }) => unknown };
  expect(axisOf(chart)).not.toHaveProperty('max');
  const { max } = axisOf({ ...chart, limit: 1 });
  expect([0.02, 0.8, 0.97, 1].map((value) => max?.({ max: value }))).toEqual([null, 1, 1, 1]);
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
