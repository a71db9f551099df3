import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printFilter } from '../../src/contract/filter/print.ts';
import { parseFilter } from '../../src/contract/filter/parse.ts';
import { chosenValues, filterTokens, toggledValue, topTerms, withCondition, withoutPart, withTerm } from './filter-terms.ts';

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

test('a term joins and goes without touching the others', () => {
  expect(withTerm('', 'a:1')).toBe('a:1');
  expect(withTerm('model:a', 'user:u')).toBe('model:a user:u');
  expect(withTerm('model:a OR user:u', 'status:ok')).toBe('(model:a OR user:u) status:ok');
  const text = 'model:a AND user:u AND status:ok';
  expect((topTerms(text) ?? []).map((term) => withoutPart(text, term))).toEqual([
    'user:u AND status:ok',
    'model:a status:ok',
    'model:a AND user:u',
  ]);
});

test('values of a field are toggled', () => {
  const toggled = (text: string, value: string, isNegated = false) => toggledValue(text, 'spans', 'model', value, isNegated);
  expect(toggled('', 'gpt 4')).toBe('model:"gpt 4"');
  expect(toggled('status:error model:a', 'b')).toBe('status:error model:(a OR b)');
  expect(toggled('model:(a OR b) status:error', 'a')).toBe('model:b status:error');
  expect(toggled('model:a status:error', 'a')).toBe('status:error');
  expect(toggled('model:a', 'a', true)).toBe('-model:a');
  expect(toggled('-model:a', 'b', true)).toBe('-model:(a OR b)');
  expect(toggled('NOT model:a user:u', 'a')).toBe('user:u model:a');
  expect(toggled('model:gpt*', 'a')).toBe('model:gpt* model:a');
  expect(chosenValues('model:(a OR b) -model:c model:d*', 'spans', 'model')).toEqual({ included: ['a', 'b'], excluded: ['c'] });
});

test('toggling a value twice gives the same filter', () => {
  const value = fc.oneof(fc.constantFrom('a', 'b'), fc.string({ minLength: 1, maxLength: 6 }));
  fc.assert(
    fc.property(fc.constantFrom('', 'status:error', '-user:x any(tool:y)'), value, fc.boolean(), (text, chosen, isNegated) => {
      const once = toggledValue(text, 'spans', 'name', chosen, isNegated);
      expect(chosenValues(once, 'spans', 'name')[isNegated ? 'excluded' : 'included']).toEqual([chosen]);
      const read = (some: string) => printFilter(parseFilter(some, { on: 'spans', nowMs: 0 }));
      expect(read(toggledValue(once, 'spans', 'name', chosen, isNegated))).toBe(read(text));
    }),
  );
});

test('a range takes the place of the condition of its field', () => {
  expect(withCondition('cost:>1 model:a', 'cost', '0..2')).toBe('model:a cost:0..2');
  expect(withCondition('model:a cost:>1', 'cost', null)).toBe('model:a');
});
