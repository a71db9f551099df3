import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSampled } from './is-sampled.ts';

const rate = fc.double({ min: 0, max: 1, noNaN: true });

test('is deterministic, and a higher rate includes what a lower one includes', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), rate, rate, (evaluator, id, one, other) => {
      expect(isSampled(evaluator, id, one)).toBe(isSampled(evaluator, id, one));
      if (isSampled(evaluator, id, Math.min(one, other))) expect(isSampled(evaluator, id, Math.max(one, other))).toBe(true);
    }),
  );
});

test('is the same in every version: the digest of both ids, as a share of all digests', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), rate, (evaluator, id, share) => {
      fc.pre(share > 0 && share < 1);
      const digest = createHash('sha256').update(`${evaluator}\n${id}`).digest();
      expect(isSampled(evaluator, id, share)).toBe(digest.readUIntBE(0, 6) / 2 ** 48 < share);
    }),
  );
});

test('samples all at 1 and none at 0', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), (evaluator, id) => {
      expect(isSampled(evaluator, id, 1)).toBe(true);
      expect(isSampled(evaluator, id, 0)).toBe(false);
    }),
  );
});

test('samples about its share of any ids, and other ones for another evaluator', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.double({ min: 0.05, max: 0.95, noNaN: true }), (evaluator, other, share) => {
      fc.pre(evaluator !== other);
      const ids = Array.from({ length: 4_000 }, (_, index) => `trace-${index}`);
      const taken = ids.filter((id) => isSampled(evaluator, id, share));
      // Five standard deviations: a right implementation fails once in millions of runs.
      const tolerance = 5 * Math.sqrt((share * (1 - share)) / ids.length);
      expect(Math.abs(taken.length / ids.length - share)).toBeLessThan(tolerance);
      const both = taken.filter((id) => isSampled(other, id, share)).length / ids.length;
      expect(Math.abs(both - share * share)).toBeLessThan(5 * Math.sqrt((share * share * (1 - share * share)) / ids.length));
    }),
    { numRuns: 30 },
  );
});
