import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterTokens, topTerms, withoutPart } from './filter-terms.ts';

const parts = (text: string) => filterTokens(text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);

test('a filter is split into fields, values, keywords, texts and brackets', () => {
  expect(parts('model:gpt* -status:error OR any(tool:"a b" latency:>2s) word')).toEqual([
    'field model:',
    'value gpt*',
    'keyword -',
    'field status:',
    'value error',
    'keyword OR',
    'keyword any',
    'bracket (',
    'field tool:',
    'value "a b"',
    'field latency:',
    'value >2s',
    'bracket )',
    'text word',
  ]);
  expect(parts('model:(a OR "b c") NOT score."x y":>0.5')).toEqual([
    'field model:',
    'bracket (',
    'value a',
    'keyword OR',
    'value "b c"',
    'bracket )',
    'keyword NOT',
    'field score."x y":',
    'value >0.5',
  ]);
});

test('any text is split without gaps other than blanks', () => {
  const text = fc.array(fc.constantFrom('a', ':', '"', '(', ')', ' ', '-', '*', '\\', 'OR', 'model:', 'any(', '>', '..', '😀'));
  fc.assert(
    fc.property(text, (some) => {
      const written = some.join('');
      let rest = written;
      for (const { start, end } of filterTokens(written).toReversed()) rest = rest.slice(0, start) + rest.slice(end);
      expect(rest.trim()).toBe('');
    }),
  );
});

const terms = (text: string) => topTerms(text)?.map(({ start, end }) => text.slice(start, end));

test('the terms at the top stand alone, unless one of them is a choice', () => {
  expect(terms('model:a AND NOT (b OR c) -cost:>1 any(tool:x OR tool:y) "some text"')).toEqual([
    'model:a',
    'NOT (b OR c)',
    '-cost:>1',
    'any(tool:x OR tool:y)',
    '"some text"',
  ]);
  expect(terms('status:(ok OR error) user:u')).toEqual(['status:(ok OR error)', 'user:u']);
  expect(terms('model:a OR model:b')).toBeUndefined();
});

test('a term goes without touching the others', () => {
  const text = 'model:a AND user:u AND status:ok';
  expect((topTerms(text) ?? []).map((term) => withoutPart(text, term))).toEqual([
    'user:u AND status:ok',
    'model:a status:ok',
    'model:a AND user:u',
  ]);
});
