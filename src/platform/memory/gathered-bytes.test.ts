import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatheredBytes } from './gathered-bytes.ts';

test('has the bytes of all pieces in order', () => {
  const pieces = fc.array(fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ minLength: 1_000, maxLength: 1_100 })), {
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 2 }), (bodies) => {
      const gathered = new GatheredBytes();
      for (const body of bodies) {
        for (const piece of body) gathered.add(Buffer.from(piece));
        const whole = Buffer.concat(body);
        expect(gathered.length).toBe(whole.length);
        expect(gathered.take().equals(whole)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

test('keeps fewer than 256 pieces, and copies the others', () => {
  const gathered = new GatheredBytes();
  const pieces = Array.from({ length: 50_000 }, () => Buffer.from('a'));
  for (const piece of pieces) gathered.add(piece);
  for (const piece of pieces) piece.fill('b');
  expect(gathered.take().toString()).toBe('a'.repeat(195 * 256) + 'b'.repeat(50_000 - 195 * 256));
});
