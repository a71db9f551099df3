import { expect, test, vi } from 'vitest';
import { jsonText } from './json-text.ts';

const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('a value is indented and keeps its order', () => {
  expect(jsonText({ b: [1, {}], a: 'x' })).toBe('{\n  "b": [\n    1,\n    {}\n  ],\n  "a": "x"\n}');
  expect(jsonText(undefined)).toBe('null');
  expect(jsonText(JSON.parse(nest(50)))).toBe(JSON.stringify(JSON.parse(nest(50)), null, 2));
});

test.each([3_000, 50_000])('of a value nested %d levels deep only the outer levels are indented', (depth) => {
  const lines = jsonText({ deep: JSON.parse(nest(depth)) as unknown, other: [1] }).split('\n');
  expect(lines).toHaveLength(1 + 2 * 49 + 1 + 3 + 1);
  expect(lines[50]?.trim()).toBe(nest(depth - 49));
  expect(lines.slice(-4)).toEqual(['  "other": [', '    1', '  ]', '}']);
  expect(lines.join('').replaceAll(' ', '')).toBe(`{"deep":${nest(depth)},"other":[1]}`);
});

test('a value that is too long when indented is written on one line', () => {
  vi.spyOn(JSON, 'stringify').mockImplementationOnce(() => {
    throw new RangeError('Invalid string length');
  });
  expect(jsonText({ a: [1] })).toBe('{"a":[1]}');
});
