import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints, cutText, firstCodePoints, storableText } from './index.ts';

/** Any string, lone surrogates included. */
const anyText = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 2 }), fc.constantFrom('\ud83d', '\ude00', '\0', '\uffff', '𐀀')),
});

test('texts are ordered as their UTF-8 is', () => {
  const wellFormed = anyText.map((text) => text.toWellFormed());
  fc.assert(
    fc.property(wellFormed, wellFormed, (left, right) => {
      expect(Math.sign(compareCodePoints(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
  );
  expect(['\u{1f600}', '\uffff', 'a', 'B', ''].toSorted(compareCodePoints)).toEqual(['', 'B', 'a', '\uffff', '\u{1f600}']);
});

test('a storable text keeps everything but NUL characters and halves of surrogate pairs', () => {
  expect(storableText('a\0b\ud83d c\ude00 \u{1f600}\n')).toBe('a\ufffdb\ufffd c\ufffd \u{1f600}\n');
  fc.assert(
    fc.property(anyText, (text) => {
      const stored = storableText(text);
      expect(stored.length).toBe(text.length);
      expect(stored.isWellFormed() && !stored.includes('\0')).toBe(true);
      expect(storableText(stored)).toBe(stored);
    }),
  );
});

test('a text is cut between characters, with its ellipsis inside the length', () => {
  expect(cutText('abc', 3)).toBe('abc');
  expect(cutText('abcd', 3)).toBe('abc');
  expect(cutText('abcd', 3, '…')).toBe('ab…');
  expect(cutText('ab\u{1f600}d', 3)).toBe('ab');
  expect(cutText('ab\u{1f600}d', 4)).toBe('ab\u{1f600}');
  fc.assert(
    fc.property(
      anyText.map((text) => text.toWellFormed()),
      fc.nat(20),
      (text, length) => {
        const cut = cutText(text, length);
        expect(cut.isWellFormed() && text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1);
      },
    ),
  );
});

test('the first code points of a text are whole, as many as were asked for', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20), (text, count) => {
      expect(firstCodePoints(text, count)).toBe([...text].slice(0, count).join(''));
    }),
  );
});
