import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ManualClock } from '../clock/clock.ts';
import { TokenBuckets } from './token-bucket.ts';

const start = Date.UTC(2026, 10, 20);

function buckets(maxBuckets?: number) {
  const clock = new ManualClock(start);
  const options = { capacity: 300, refillPerSecond: 5, clock };
  return { clock, buckets: new TokenBuckets(maxBuckets === undefined ? options : { ...options, maxBuckets }) };
}

function takeAll(from: TokenBuckets, key: string): number {
  for (let taken = 0; ; taken++) if (from.take(key) > 0) return taken;
}

it('admits a burst of 300, then 5 a second', () => {
  const { clock, buckets: own } = buckets();
  expect(takeAll(own, 'a')).toBe(300);
  expect(own.take('a')).toBe(1);
  clock.advance(199);
  expect(own.take('a')).toBe(1);
  clock.advance(1);
  expect(own.take('a')).toBe(0);
  clock.advance(10_000);
  expect(takeAll(own, 'a')).toBe(50);
  clock.advance(3_600_000);
  expect(takeAll(own, 'a')).toBe(300);
});

it('keeps a bucket for each key', () => {
  const { buckets: own } = buckets();
  takeAll(own, 'a');
  expect(takeAll(own, 'b')).toBe(300);
});

it('refills nothing when the clock is set back', () => {
  const { clock, buckets: own } = buckets();
  takeAll(own, 'a');
  clock.advance(-86_400_000);
  expect(own.take('a')).toBe(1);
  clock.advance(1000);
  expect(takeAll(own, 'a')).toBe(5);
});

it('evicts the least recently used bucket when there are too many', () => {
  const { buckets: own } = buckets(2);
  takeAll(own, 'a');
  takeAll(own, 'b');
  expect(own.take('a')).toBe(1);
  own.take('c');
  expect(own.take('a')).toBe(1);
  expect(own.take('b')).toBe(0);
});

it('never admits more than the capacity plus the refill, and returns the time until the next token', () => {
  const waits = fc.array(fc.record({ waitMs: fc.integer({ min: 0, max: 20_000 }), takes: fc.integer({ min: 0, max: 200 }) }), {
    maxLength: 40,
  });
  const options = fc.record({ capacity: fc.integer({ min: 1, max: 500 }), refillPerSecond: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(options, waits, ({ capacity, refillPerSecond }, steps) => {
      const clock = new ManualClock(start);
      const own = new TokenBuckets({ capacity, refillPerSecond, clock });
      let through = 0;
      for (const { waitMs, takes } of steps) {
        clock.advance(waitMs);
        for (let index = 0; index < takes; index++) {
          const told = own.wait('a');
          const wait = own.take('a');
          expect(told).toBe(wait);
          if (wait === 0) {
            through += 1;
            continue;
          }
          expect(Number.isInteger(wait) && wait >= 1).toBe(true);
          clock.advance(wait * 1000);
          expect(own.take('a')).toBe(0);
          through += 1;
        }
        expect(through).toBeLessThanOrEqual(capacity + ((clock.now() - start) * refillPerSecond) / 1000 + 1e-6);
      }
    }),
    { numRuns: 100 },
  );
});
