import { expect, test } from 'vitest';
import { axisEnd } from './interval-axis.ts';

test.each([
  [[0.08, 0.02, 0.14], 0.2],
  [[-0.3, -0.5, -0.1], 0.5],
  [[3, 1, 7], 10],
  [[0.000_03, -0.000_01, 0.000_12], 0.0002],
  [[0, 0, 0], 1],
  [[null, null, null], 1],
])('the axis of %j ends at %d', (values, end) => {
  expect(axisEnd(values)).toBe(end);
});
