import { expect, test } from 'vitest';
import { retryAfter } from './retry.ts';

test('waits longer each time, up to ten minutes', () => {
  expect([1, 2, 3, 4, 5, 9].map((attempts) => retryAfter(attempts, undefined))).toEqual([
    5_000, 20_000, 80_000, 320_000, 600_000, 600_000,
  ]);
});

test('heeds what the other side asks for, up to an hour', () => {
  expect(retryAfter(1, 30_000)).toBe(30_000);
  expect(retryAfter(3, 1_000)).toBe(80_000);
  expect(retryAfter(1, 86_400_000)).toBe(3_600_000);
});
