import { expect, test } from 'vitest';
import { excerptAt, lineOf } from './text-line.ts';

test('a line is extracted', () => {
  expect([1, 2, 3, 4, 5].map((line) => lineOf('a\r\n\nc\n', line))).toEqual(['a', '', 'c', '', null]);
});

test('the excerpt of a long line contains the character', () => {
  const line = `${'x'.repeat(500)}!${'y'.repeat(500)}`;
  const { text, at } = excerptAt(line, 501, 40);
  expect(text).toHaveLength(42);
  expect(text[at]).toBe('!');
  expect(excerptAt('short', 2, 40)).toEqual({ text: 'short', at: 1 });
});
