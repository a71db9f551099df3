import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSearch, readExactly, stringifySearch } from './search-text.ts';

test('search parameters are plain; empty ones are dropped', () => {
  expect(stringifySearch({ q: 'a b', range: undefined, tag: ['x', 'y'], limit: 5 })).toBe('?q=a+b&tag=x&tag=y&limit=5');
  expect(stringifySearch({})).toBe('');
  expect(parseSearch('?q=123&tag=x&tag=y')).toEqual({ q: '123', tag: ['x', 'y'] });
});

test('any text round-trips through a URL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(parseSearch(stringifySearch({ q: text }))).toEqual({ q: text });
    }),
  );
});

test('parameters that a page does not use are dropped', () => {
  const read = readExactly(({ sort }): { sort?: string } => (sort === 'up' ? { sort } : {}));
  // As the router puts the two together.
  const handedOn = (search: Record<string, unknown>) => ({ ...search, ...read(search) });
  expect(stringifySearch(handedOn({ sort: 'up', range: 'banana' }))).toBe('?sort=up');
  expect(stringifySearch(handedOn({ sort: 'sideways' }))).toBe('');
});
