import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textChunks } from './text-chunks.ts';

test('parts end at line breaks where there are any', () => {
  expect(textChunks('one\ntwo\nthree', 9)).toEqual(['one\ntwo\n', 'three']);
  expect(textChunks('abcdef', 4)).toEqual(['abcd', 'ef']);
  expect(textChunks('', 4)).toEqual([]);
});

test('nothing is lost, no part is too long, and no character is divided', () => {
  const unit = fc.constantFrom('a', '\n', '\u{1f525}', ' ');
  fc.assert(
    fc.property(fc.string({ unit }), fc.integer({ min: 2, max: 9 }), (text, size) => {
      const chunks = textChunks(text, size);
      expect(chunks.join('')).toBe(text);
      expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= size && chunk.isWellFormed())).toBe(true);
    }),
  );
});
