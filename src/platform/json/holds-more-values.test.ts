import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsMoreValues, jsonExcess } from './index.ts';

/** The values of a parsed JSON text, the whole included. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member), 1);
}

/** The levels of arrays and objects of a parsed JSON text. */
function levelsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((most, member) => Math.max(most, levelsIn(member)), 0);
}

const part = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '[', ',{', '\\"', ']]', '}'));
const json = fc.jsonValue({ maxDepth: 5 }).chain((value) => part.map((text) => ({ [text]: [value, text, {}, []] })));

test('the values and levels of a text are those of what JSON.parse reads', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, '\t\r\n '), (given, indent) => {
      const text = JSON.stringify(given, null, indent);
      const value = JSON.parse(text) as unknown;
      const bytes = Buffer.from(text);
      const [values, levels] = [valuesIn(value), levelsIn(value)];
      expect(jsonExcess(bytes, { values, levels })).toBeNull();
      expect(jsonExcess(bytes, { values: values - 1, levels })).toBe('values');
      expect(jsonExcess(bytes, { values, levels: levels - 1 })).toBe('levels');
      expect([holdsMoreValues(bytes, values), holdsMoreValues(bytes, values - 1)]).toEqual([false, true]);
    }),
  );
});

test('the text is read up to the first excess, and invalid JSON to its end', () => {
  expect(jsonExcess(Buffer.from('[[[["\\'), { values: 5, levels: 4 })).toBeNull();
  expect(jsonExcess(Buffer.from('[[[["\\'), { values: 4, levels: 4 })).toBe('values');
  expect(jsonExcess(Buffer.from('[[[['), { values: 4, levels: 3 })).toBe('levels');
  expect(holdsMoreValues(Buffer.from('[[["[[['), 4)).toBe(false);
});

test('a long text is one value', () => {
  const text = Buffer.from(JSON.stringify(['[,'.repeat(500_000)]));
  expect(jsonExcess(text, { values: 2, levels: 1 })).toBeNull();
});
