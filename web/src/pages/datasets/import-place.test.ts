import { expect, test } from 'vitest';
import { excerptAt, lineOf, placeOf } from './import-place.ts';

test.each([
  ['/3', { line: 3, column: null }],
  ['/3/input', { line: 3, column: 'input' }],
  ['/12/17', { line: 12, column: '17' }],
  ['/1/a/b', { line: 1, column: 'a/b' }],
  ['/name', null],
])('%s names a place', (path, place) => {
  expect(placeOf({ details: [{ path, message: '' }] })).toEqual(place);
});

test('an error without details has no position', () => {
  expect(placeOf({ details: [] })).toBeNull();
});

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
