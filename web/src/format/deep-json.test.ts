import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepJson, jsonLine } from './deep-json.ts';

const nested = '['.repeat(50_000) + ']'.repeat(50_000);

test('any value is serialized like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(deepJson(value, 0)).toBe(JSON.stringify(value));
      expect(deepJson(value, Number.POSITIVE_INFINITY)).toBe(JSON.stringify(value, null, 2));
      expect(jsonLine(value)).toBe(JSON.stringify(value));
    }),
  );
  expect(deepJson({ a: undefined, b: [undefined] }, 0)).toBe('{"b":[null]}');
});

test('deeper levels are written on one line', () => {
  expect(deepJson({ a: [{ b: [1, 2] }, []], c: {} }, 2)).toBe(
    ['{', '  "a": [', '    {"b":[1,2]},', '    []', '  ],', '  "c": {}', '}'].join('\n'),
  );
});

test('a value nested 50,000 levels deep is serialized', () => {
  const value: unknown = JSON.parse(nested);
  expect(() => JSON.stringify(value)).toThrow(RangeError);
  expect(jsonLine(value)).toBe(nested);
  expect(jsonLine({ a: [value], b: undefined })).toBe(`{"a":[${nested}]}`);
});
