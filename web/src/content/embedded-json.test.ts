import { expect, test } from 'vitest';
import { parsedText, shownJson, withParsedTexts } from './embedded-json.ts';

test('a text that is a JSON object or array is shown as one; other texts stay', () => {
  expect(parsedText(' {"a":[1]} ')).toEqual({ a: [1] });
  for (const text of ['{a}', 'plain', '12', '"quoted"', '[1', '[see below]', '']) expect(parsedText(text)).toBe(text);
});

test('texts within a value are read too, and texts within those', () => {
  const value = { arguments: '{"city":"Bern","inner":"[1,2]"}', id: '12', list: ['{"x":null}', 'y'] };
  expect(withParsedTexts(value)).toEqual({
    arguments: { city: 'Bern', inner: [1, 2] },
    id: '12',
    list: [{ x: null }, 'y'],
  });
});

test('a vector takes one line with its length; short lists of numbers and other lists stay', () => {
  const long = Array.from({ length: 1536 }, (_, index) => index / -7);
  const lines = shownJson({ embedding: long, pair: [1, 2], names: Array.from({ length: 9 }, () => 'a') }).split('\n');
  expect(lines[1]).toMatch(/^ {2}"embedding": \[0, -0\.142\d+, .*, … 1,536 numbers\],$/);
  expect(lines.slice(2, 6)).toEqual(['  "pair": [', '    1,', '    2', '  ],']);
  expect(shownJson([1, 2, 3, 4, 5, 6, 7, 8.5e-9])).toBe('[1, 2, 3, 4, 5, 6, 7, 8.5e-9]');
});

test('a text that looks like a vector is not touched', () => {
  const text = '[\n  1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8\n]';
  expect(shownJson({ text })).toBe(JSON.stringify({ text }, null, 2));
});
