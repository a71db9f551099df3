import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from './index.ts';

const pad = fc.constantFrom('', ' ', '\n');

test('what JSON.stringify writes has no fault, with any white space', () => {
  fc.assert(
    fc.property(fc.jsonValue(), pad, (value, space) => {
      expect(jsonFault(JSON.stringify(value, null, space))).toBeNull();
    }),
    { numRuns: 500 },
  );
});

test('a member that is given twice is found in any object, however its name is escaped', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (name, first, second) => {
      const key = JSON.stringify(name);
      const escaped = `"${[...Array(name.length).keys()].map((at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
      for (const again of [key, escaped]) {
        const object = `{${key}:${JSON.stringify(first)},"other ${key.slice(1)}:[],${again}:${JSON.stringify(second)}}`;
        expect(jsonFault(`[{"a":{}},${object}]`)).toMatch(/is given twice/);
      }
    }),
  );
});

test('the same name in different objects is no fault, nor is a text that looks like one', () => {
  expect(jsonFault('[{"a":{"a":1}},{"a":[{"a":"a"},"a","a"]}]')).toBeNull();
  expect(jsonFault('{"a":"\\"a\\":1,\\"a\\":2"}')).toBeNull();
});

test.each(['0', '-0', '0.0', '1.0', '1e0', '100e-2', '10E+2', '0.1', '1e300', '5e-324', '9007199254740992', '1.50'])(
  '%s is exact',
  (number) => {
    expect(jsonFault(`[${number}]`)).toBeNull();
  },
);

test.each([
  '9007199254740993',
  '0.1000000000000000055',
  '1e400',
  '-1e400',
  '1e-400',
  '12345678901234567890',
  `1.${'0'.repeat(80)}`,
])('%s is not exact', (number) => {
  expect(jsonFault(`{"a":[${number}]}`)).toMatch(/is not exact/);
});
