import { expect, test } from 'vitest';
import { diffTexts } from './text-diff.ts';
import type { Part } from './text-diff.ts';

/** With what is changed in brackets. */
const marked = (parts: readonly Part[]) => parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');

test.each([
  ['the same', 'the same', 'the same', 'the same'],
  ['', 'new', '', '[new]'],
  ['a b c', 'a x c', 'a [b] c', 'a [x] c'],
  ['yes: rain', 'no: rain', '[yes]: rain', '[no]: rain'],
  ['take the umbrella', 'take the big red umbrella', 'take the umbrella', 'take the [big red ]umbrella'],
  ['one two three', 'four five six', '[one two three]', '[four five six]'],
  ['Größe 3', 'Größe 4', 'Größe [3]', 'Größe [4]'],
])('%j beside %j', (a, b, left, right) => {
  const diff = diffTexts(a, b);
  expect([marked(diff.a), marked(diff.b)]).toEqual([left, right]);
  expect([diff.a, diff.b].map((parts) => parts.map(({ text }) => text).join(''))).toEqual([a, b]);
});

test('texts that are too long for a word diff keep their common prefix and suffix', () => {
  const text = (word: string) => `begin ${Array.from({ length: 3000 }, (_, index) => `${word}${index}`).join(' ')} end`;
  const diff = diffTexts(text('a'), text('b'));
  expect(diff.a.map(({ changed }) => changed)).toEqual([false, true, false]);
});
