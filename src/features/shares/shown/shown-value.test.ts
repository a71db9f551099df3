import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { parseKeepingNumbers } from '../../../platform/json/index.ts';
import { shownValue } from './shown-value.ts';
import type { Find } from './shown-value.ts';

/** Finds `<` and everything to the next `>`, also across texts, as an entity of which only the ends are known. */
const findMarked: Find = (text) =>
  [...text.matchAll(/<[^<>]*>/g)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    with: '[MARKED]',
    guardrail: 0,
  }));
const findNothing: Find = () => [];

const parsedOf = (shown: ReturnType<typeof shownValue>): unknown => JSON.parse(shown?.json ?? '"not shown"');

test('without a limit and a search any value is shown as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      for (const find of [null, findNothing])
        expect(shownValue(JSON.parse(text), Infinity, find)).toMatchObject({ json: text, cut: false });
    }),
    { numRuns: runs({ usual: 100, nightly: 5_000 }) },
  );
});

test('what is found is shown nowhere: in texts, names of members and numbers, escaped or not', () => {
  const secret = fc.constantFrom('<a>', '<one two>', '<"quoted\\">', '<\n\u0001>', '<é😀>');
  const planted = fc
    .tuple(fc.string(), secret, fc.string())
    .map((parts) => parts.map((part, at) => (at === 1 ? part : part.replaceAll(/[<>]/g, ''))).join(''));
  const plain = fc.string().map((text) => text.replaceAll(/[<>]/g, ''));
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, planted, plain, fc.integer(), fc.boolean(), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    object: fc.dictionary(fc.oneof(planted, plain), tie('any'), { maxKeys: 4 }),
  })).any;
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 400 }), (given, most) => {
      for (const limit of [Infinity, most]) {
        const shown = JSON.stringify(parsedOf(shownValue(given, limit, findMarked)));
        expect(shown.replaceAll('[MARKED]', '')).not.toMatch(/[<>]/);
      }
    }),
    { numRuns: runs({ usual: 200, nightly: 20_000 }) },
  );
});

test('members whose names become the same are all shown', () => {
  expect(parsedOf(shownValue({ '<a>': 1, '<b>': 2, '[MARKED] 2': 3 }, Infinity, findMarked))).toEqual({
    '[MARKED]': 1,
    '[MARKED] 2': 2,
    '[MARKED] 2 2': 3,
  });
});

test('a number in which something is found becomes a text; others stay as they were sent', () => {
  const find: Find = (text) =>
    [...text.matchAll(/4111\d+/g)].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      with: '[CARD]',
      guardrail: 0,
    }));
  const sent = '{"card":4111111111111111,"id":12345678901234567890,"price":1.50}';
  const value = parseKeepingNumbers(sent, JSON.parse(sent));
  expect(shownValue(value, Infinity, find)?.json).toBe('{"card":"[CARD]","id":12345678901234567890,"price":1.5}');
});

test('a secret is found by the name of its member', () => {
  const texts: string[] = [];
  shownValue({ api_key: 'abc', list: ['x', 1, { b: null }] }, Infinity, (text) => {
    texts.push(text);
    return [];
  });
  expect(texts.join()).toContain('"api_key": "abc"');
});

test('a text is cut at the limit, not within a character, and says so', () => {
  expect(shownValue('abcdefgh', 4 + 3, null)).toEqual({
    json: JSON.stringify('abc… [5 more characters are not shown]'),
    length: 7,
    cut: true,
  });
  expect(parsedOf(shownValue('ab😀', 4 + 3, null))).toBe('ab… [2 more characters are not shown]');
});

test('what lies across the cut is found whole', () => {
  expect(parsedOf(shownValue('ab<secret>cd', 4 + 5, findMarked))).toBe('ab[MARKED]… [7 more characters are not shown]');
});

test('long lists and objects are cut, and say so', () => {
  expect(parsedOf(shownValue([null, null, null, null], 13, null))).toEqual(
    [null, null, null, '[1 more items are not shown]'].slice(0, 4),
  );
  expect(parsedOf(shownValue({ a: 1, b: 2, c: 3 }, 10, null))).toMatchObject({ a: 1, '…': '[2 more fields are not shown]' });
});

test('the size is bounded by the limit, whatever the value is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 300 }), (value, most) => {
      const shown = shownValue(value, most, null);
      const whole = shownValue(value, Infinity, null);
      expect(shown?.cut).toBe(shown?.json !== whole?.json);
    }),
    { numRuns: runs({ usual: 100, nightly: 5_000 }) },
  );
});

test('what is nested too deeply is left out', () => {
  const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown;
  expect(shownValue(deep, Infinity, null)).toMatchObject({ cut: true, json: expect.stringContaining('nested too deeply') });
});

test('escapes of JSON in a text hide nothing; such a text without anything to find stays as it is', () => {
  const plain = '{ "a": [1, 12345678901234567890], "b": "é" }';
  expect(parsedOf(shownValue([plain], Infinity, findMarked))).toEqual([plain]);
  const hiding = String.raw`{ "a": [1, 12345678901234567890], "\u003cb>": "x \u003csecret\u003E \n y", "c": "{\"d\":\"\\u003ce>\"}" }`;
  expect(parsedOf(shownValue([hiding, 'z'], Infinity, findMarked))).toEqual([
    String.raw`{"a":[1,12345678901234567890],"[MARKED]":"x [MARKED] \n y","c":"{\"d\":\"[MARKED]\"}"}`,
    'z',
  ]);
});

test('a value that cannot be searched is not shown', () => {
  expect(shownValue('text', Infinity, () => null)).toBeNull();
});
