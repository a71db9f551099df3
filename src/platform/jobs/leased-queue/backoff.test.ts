import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoff } from './backoff.ts';

const policy = { maxAttempts: 5, firstMs: 5_000, factor: 4, maxMs: 600_000, maxAskedMs: 3_600_000, jitter: 0.25 };
const none = () => 0;

it('waits longer after each attempt, up to the maximum', () => {
  expect([1, 2, 3, 4, 5, 9].map((attempts) => backoff(policy, attempts, undefined, none))).toEqual([
    5_000, 20_000, 80_000, 320_000, 600_000, 600_000,
  ]);
});

it('waits at least as long as `Retry-After`, up to a maximum', () => {
  expect(backoff(policy, 1, 30_000, none)).toBe(30_000);
  expect(backoff(policy, 3, 1_000, none)).toBe(80_000);
  expect(backoff(policy, 1, 86_400_000, none)).toBe(3_600_000);
});

describe('listed waits', () => {
  const listed = { maxAttempts: 6, waitsMs: [5_000, 30_000, 120_000], spread: 0.2 };

  it('follow the list and repeat its last, whatever the server asks for', () => {
    const middle = () => 0.5;
    expect([1, 2, 3, 4].map((attempts) => backoff(listed, attempts, 3_600_000, middle))).toEqual([
      5_000, 30_000, 120_000, 120_000,
    ]);
  });

  it('are spread evenly to both sides', () => {
    expect([0, 0.25, 0.75, 1].map((random) => backoff(listed, 1, undefined, () => random))).toEqual([4_000, 4_500, 5_500, 6_000]);
  });
});

it('adds jitter and never shortens the wait', () => {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat({ max: 7_200_000 }), share, (attempts, asked, random) => {
      const shortest = backoff(policy, attempts, asked, none);
      const wait = backoff(policy, attempts, asked, () => random);
      expect(wait).toBeGreaterThanOrEqual(shortest);
      expect(wait).toBeLessThanOrEqual(Math.ceil(shortest * 1.25));
    }),
  );
});
