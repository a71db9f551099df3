import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsMoreValues } from './index.ts';

/** The opening brackets and commas of a value's JSON outside of strings. */
function countIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return 1 + Math.max(0, members.length - 1) + members.reduce<number>((sum, member) => sum + countIn(member), 0);
}

test('counts brackets and commas outside of strings only', () => {
  const part = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '[', ',{', '\\"'));
  const json = fc.jsonValue({ maxDepth: 4 }).chain((value) => part.map((text) => ({ [text]: [value, text] })));
  fc.assert(
    fc.property(json, (value) => {
      const bytes = Buffer.from(JSON.stringify(value));
      const count = countIn(value);
      expect(holdsMoreValues(bytes, count)).toBe(false);
      expect(holdsMoreValues(bytes, count - 1)).toBe(true);
    }),
  );
});

test('invalid JSON is counted to its end', () => {
  expect(holdsMoreValues(Buffer.from('[[["[[['), 3)).toBe(false);
  expect(holdsMoreValues(Buffer.from('[[["\\'), 2)).toBe(true);
});
