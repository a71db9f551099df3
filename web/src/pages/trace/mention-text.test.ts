import { describe, expect, test } from 'vitest';
import { mentionAt, offeredFor, quoted, withMention } from './mention-text.ts';

const people = [
  { userId: '1', name: 'Ada Lovelace', email: 'ada@example.com' },
  { userId: '2', name: 'Bo', email: 'bo@lovers.org' },
  { userId: '3', name: 'Grace Hopper', email: 'grace@example.com' },
];

describe('the mention that is being written', () => {
  test.each<[string, { start: number; query: string } | null]>([
    ['@|', { start: 0, query: '' }],
    ['Hi @ad|', { start: 3, query: 'ad' }],
    ['(@ad|a)', { start: 1, query: 'ad' }],
    ['line\n@a.b|', { start: 5, query: 'a.b' }],
    ['**@a|', { start: 2, query: 'a' }],
    ['mail ada@ex|', null],
    ['@ada |', null],
    ['no|', null],
    ['@ada@ex|', null],
  ])('%s', (marked, expected) => {
    const cursor = marked.indexOf('|');
    expect(mentionAt(marked.replace('|', ''), cursor)).toEqual(expected);
  });
});

test.each([
  ['', ['ada@example.com', 'bo@lovers.org', 'grace@example.com']],
  ['LOVE', ['ada@example.com', 'bo@lovers.org']],
  ['hop', ['grace@example.com']],
  ['exam', ['ada@example.com', 'grace@example.com']],
  ['x@', []],
])('people offered for "%s"', (query, expected) => {
  expect(offeredFor(query, people).map(({ email }) => email)).toEqual(expected);
});

test('a completed mention is followed by a space', () => {
  const [ada] = people;
  if (!ada) throw new Error('nobody');
  expect(withMention('Hi @ad', { start: 3, query: 'ad' }, ada)).toEqual({ text: 'Hi @ada@example.com ', cursor: 20 });
  expect(withMention('Hi @ad there', { start: 3, query: 'ad' }, ada)).toEqual({ text: 'Hi @ada@example.com there', cursor: 20 });
});

test('a quotation keeps its lines', () => expect(quoted(' a\n\nb ')).toBe('> a\n>\n> b\n\n'));
