import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFilter } from '../../src/contract/filter/parse.ts';
import { chosenValues, hasTerm, negatedPart, toggledTerm, toggledValue, withRange, withTerm } from './filter-edit.ts';
import { topTerms } from './filter-terms.ts';

const toggled = (text: string, value: string, side?: 'included' | 'excluded') =>
  toggledValue(text, 'traces', 'model', value, side);

describe('a value is chosen', () => {
  test.each([
    ['', 'gpt-4o', 'model:gpt-4o'],
    ['status:error', 'a b', 'status:error model:"a b"'],
    ['model:a status:error', 'b', 'model:(a OR b) status:error'],
    ['model:gpt*', 'b', 'model:(gpt* OR b)'],
    ['model:(a OR b) status:error', 'b', 'model:a status:error'],
    ['model:a AND status:error', 'a', 'status:error'],
    ['-model:a', 'a', 'model:a'],
    ['-model:(a OR b)', 'a', '-model:b model:a'],
    ['model:* user:u', 'a', 'model:* user:u model:a'],
    ['user:u OR user:v', 'a', '(user:u OR user:v) model:a'],
  ])('%j and %j', (text, value, expected) => expect(toggled(text, value)).toBe(expected));

  test.each([
    ['', 'a', '-model:a'],
    ['-model:a', 'b', '-model:(a OR b)'],
    ['NOT model:(a OR b)', 'b', '-model:a'],
    ['model:(a OR b)', 'a', 'model:b -model:a'],
  ])('%j without %j', (text, value, expected) => expect(toggled(text, value, 'excluded')).toBe(expected));

  test('a number is one of several; comparisons stand beside it', () => {
    const version = (text: string, value: string) => toggledValue(text, 'spans', 'promptVersion', value);
    expect(version('promptVersion:3', '4')).toBe('promptVersion:(3 OR 4)');
    expect(version('promptVersion:>2', '4')).toBe('promptVersion:>2 promptVersion:4');
    expect(toggledValue('', 'traces', 'label."my score"', 'x')).toBe('label."my score":x');
    expect(toggledValue('label."my score":x', 'traces', 'label."my score"', 'x')).toBe('');
  });
});

test('a value that is toggled twice is as before, and every text can be read', () => {
  const start = fc.constantFrom(
    '',
    'status:error',
    'model:a',
    'model:(a OR "b c") user:u',
    '-model:a cost:>1',
    'user:u OR user:v',
  );
  const value = fc.oneof(fc.constantFrom('a', 'b c', 'x'), fc.string({ minLength: 1, unit: 'grapheme' }));
  fc.assert(
    fc.property(start, value, fc.constantFrom('included' as const, 'excluded' as const), (text, one, side) => {
      const next = toggled(text, one, side);
      parseFilter(next, { on: 'traces', nowMs: 0 });
      const written = chosenValues(next, 'traces', 'model')[side];
      const before = chosenValues(text, 'traces', 'model')[side];
      if (before.length === written.length) return;
      const again = toggled(next, one, side);
      expect(chosenValues(again, 'traces', 'model')[side].toSorted()).toEqual(before.toSorted());
    }),
  );
});

test('a range replaces what was said of the number', () => {
  expect(withRange('latency:>2s model:a', 'traces', 'latency', 100, 250.5)).toBe('model:a latency:100..250.5');
  expect(withRange('latency:100..250', 'traces', 'latency', null, null)).toBe('');
  expect(withRange('', 'traces', 'cost', 1.5e-7, 2e-7)).toBe('cost:0.00000015..0.0000002');
  expect(withRange('', 'traces', 'cost', 0.1, null)).toBe('cost:>=0.1');
  expect(withRange('', 'traces', 'cost', null, 2)).toBe('cost:<=2');
});

test('a term is added and taken, and turned into its opposite', () => {
  expect(toggledTerm('a', 'status:error')).toBe('a status:error');
  expect(toggledTerm('status:error a', 'status:error')).toBe('a');
  expect([hasTerm('x status:error', 'status:error'), hasTerm('-status:error', 'status:error')]).toEqual([true, false]);
  expect(withTerm(' ', 'a')).toBe('a');
  const text = 'model:a NOT user:u -(b OR c) any(tool:x)';
  const opposites = (topTerms(text) ?? []).map((term) => negatedPart(text, term));
  expect(opposites).toEqual([
    '-model:a NOT user:u -(b OR c) any(tool:x)',
    'model:a user:u -(b OR c) any(tool:x)',
    'model:a NOT user:u (b OR c) any(tool:x)',
    'model:a NOT user:u -(b OR c) -any(tool:x)',
  ]);
});
