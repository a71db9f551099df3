import { expect, test } from 'vitest';
import { successBase } from './success-base.ts';

test.each([
  [0.75, 3, 'of 4 that say so'],
  [1 / 3, 1, 'of 3 that say so'],
  [1, 1, 'of 1 that says so'],
  [0, 0, 'of those that say so'],
])('%d with %d successes is %s', (successRate, successCount, text) => {
  expect(successBase({ successRate, successCount })).toBe(text);
});
