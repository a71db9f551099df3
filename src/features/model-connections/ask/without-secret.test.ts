import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactSecret, withoutSecret } from './without-secret.ts';

const secret = fc.string({ minLength: 8, maxLength: 24 });
const parts = fc.array(fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('start', 'end', 'whole')), { maxLength: 6 });

/** A text with the secret, its first and its last characters in it. */
const textOf = (key: string, pieces: readonly string[]) =>
  pieces.map((piece) => ({ start: key.slice(0, 9), end: key.slice(-9), whole: key })[piece] ?? piece).join('');

const containsPart = (text: string, key: string) =>
  Array.from({ length: key.length - 7 }, (_, at) => key.slice(at, at + 8)).some((part) => text.includes(part));

it('drops a text with 8 or more characters of a secret', () => {
  fc.assert(
    fc.property(secret, parts, (key, pieces) => {
      const text = textOf(key, pieces);
      expect(withoutSecret(text, key)).toBe(containsPart(text, key) ? '' : text);
    }),
  );
  expect(withoutSecret('none of it', 'none')).toBe('');
  expect([withoutSecret('a text', ''), withoutSecret('a text', null)]).toEqual(['a text', 'a text']);
});

it('redacts each run of 8 or more characters of a secret and keeps the rest', () => {
  fc.assert(
    fc.property(secret, parts, (key, pieces) => {
      const text = textOf(key, pieces);
      const kept = redactSecret(text, key).split('[redacted]');
      for (const piece of kept) expect(containsPart(piece, key)).toBe(false);
      if (!containsPart(text, key)) expect(redactSecret(text, key)).toBe(text);
    }),
  );
  expect(redactSecret('Your key is sk-123456789, or 23456789.', 'sk-123456789')).toBe('Your key is [redacted], or [redacted].');
  expect(redactSecret('none of it', 'none')).toBe('none of it');
  expect(redactSecret('a text', null)).toBe('a text');
});
