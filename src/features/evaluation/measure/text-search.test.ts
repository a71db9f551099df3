import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasText } from './text-search.ts';

const fewLetters = (maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b', '\ud83d', '\ude00'), { maxLength }).map((list) => list.join(''));

it('finds what String.includes finds', () => {
  fc.assert(
    fc.property(fewLetters(60), fewLetters(6), (text, searched) => {
      expect(hasText(text, searched)).toBe(text.includes(searched));
    }),
    { numRuns: 1_000 },
  );
});

it('finds every part of a text', () => {
  fc.assert(
    fc.property(fewLetters(60), fc.nat(60), fc.nat(60), (text, start, length) => {
      expect(hasText(text, text.slice(start, start + length))).toBe(true);
    }),
  );
});
