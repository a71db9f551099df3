import fc from 'fast-check';
import { validate, version } from 'uuid';
import { expect, it } from 'vitest';
import { uuidOfDigest } from './uuid-of-digest.ts';

it('has the time, the version and the variant, and otherwise the bits of the digest', () => {
  expect(uuidOfDigest(new Uint8Array(32).fill(0xff), 0x0197_b000_0000)).toBe('0197b000-0000-7fff-bfff-ffffffffffff');
  expect(uuidOfDigest(new Uint8Array(32), 0)).toBe('00000000-0000-7000-8000-000000000000');
});

it('is a UUID of version 7 for any digest, which it leaves as it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 64 }), fc.integer({ min: 0, max: 2 ** 48 - 1 }), (digest, ms) => {
      const before = [...digest];
      const id = uuidOfDigest(digest, ms);
      expect([validate(id), version(id)]).toEqual([true, 7]);
      expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(ms);
      expect([...digest]).toEqual(before);
    }),
  );
});
