import { expect, test } from 'vitest';
import type { Condition } from './condition.ts';
import { summaryOf } from './summary.ts';

const condition: Condition = {
  type: 'cost',
  figure: { of: 'calls', aggregate: 'sum', value: 'cost' },
  threshold: 20,
  recoveryThreshold: 20,
  window: '1h',
  windowMs: 3_600_000,
  filter: {},
  environment: null,
  groupBy: null,
  count: null,
  minCount: 1,
  forMinutes: 0,
  noData: 'keep',
};

test.each([
  [21.2, '$21.20'],
  [21.25, '$21.25'],
  [0.5, '$0.50'],
  [0.001_234_5, '$0.001235'],
  [1_234.56, '$1,235'],
])('a cost of %d is %s', (value, shown) => {
  expect(summaryOf(condition, '', value)).toBe(`The calls in the last hour cost ${shown}; the threshold is $20.`);
});
