import { expect, it } from 'vitest';
import { hashSecret, sameHash } from './secrets.ts';

it('stores the SHA-256 of a secret', () => {
  expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('compares hashes of any length', () => {
  expect(sameHash(hashSecret('a'), hashSecret('a'))).toBe(true);
  expect(sameHash(hashSecret('a'), hashSecret('b'))).toBe(false);
  expect(sameHash(hashSecret('a'), Buffer.alloc(0))).toBe(false);
});
