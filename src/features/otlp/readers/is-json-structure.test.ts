import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonStructure } from './is-json-structure.ts';

/** The oracle: whether JSON.parse takes the text and returns an array or object. */
function parsesToStructure(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null;
  } catch {
    return false;
  }
}

const texts =
  `[] {} [1,-0.5e+3,true,false,null,"a"] {"a":{"b":[{}]},"":[]} ["\\u00e9\\n\\"\\/"] [ { [} {] [1,] [,1] {"a"} {"a":} {a:1} {"a":1,} []]
  "a" 1 null [01] [1.] [.5] [+1] [-] [1e] [tru] [nulll] ["a] ["\\x"] ["\\u12g4"] ["\\`.split(/\s+/);

const spaced = ['', ' ', ' \n[ ]\t\r', '[1 2]', '[] []', '["\n"]', '[\u00a01]', '["\u2028"]'];

test.each([...texts, ...spaced])('decides %j as JSON.parse does', (text) => {
  expect(isJsonStructure(text)).toBe(parsesToStructure(text));
});

test('decides valid JSON and mutated JSON as JSON.parse does', () => {
  const json = fc.oneof(
    fc.json({ stringUnit: 'binary' }),
    fc.jsonValue().map((value) => JSON.stringify([value], null, 1)),
  );
  const insert = fc.constantFrom('', ...'"\\,:[]{}0-.eu\n ');
  const change = fc.record({ at: fc.nat(), remove: fc.nat(2), insert });
  fc.assert(
    fc.property(json, change, (text, { at, remove, insert: inserted }) => {
      const from = text.length === 0 ? 0 : at % text.length;
      const changed = text.slice(0, from) + inserted + text.slice(from + remove);
      expect(isJsonStructure(text)).toBe(parsesToStructure(text));
      expect(isJsonStructure(changed)).toBe(parsesToStructure(changed));
    }),
    { numRuns: 3000 },
  );
});

test('accepts nesting of any depth', () => {
  for (const depth of [127, 128, 129, 255, 256, 257, 100_000]) {
    expect(isJsonStructure('['.repeat(depth) + ']'.repeat(depth))).toBe(true);
    expect(isJsonStructure('['.repeat(depth) + ']'.repeat(depth - 1))).toBe(false);
    expect(isJsonStructure('['.repeat(depth))).toBe(false);
  }
});
