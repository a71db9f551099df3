import { expect, test } from 'vitest';
import type { CategoryChart } from './chart-model.ts';
import { chartOption } from './chart-option.ts';
import type { ThemeColors } from './theme.ts';

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
