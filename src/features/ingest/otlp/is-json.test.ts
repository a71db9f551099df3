import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonStructure } from './is-json.ts';
import { parseJson } from './parse-json.ts';

/** What the function stands for. */
function slowly(text: string): boolean {
  const parsed = parseJson(text);
  return typeof parsed === 'object' && parsed !== null;
}

const texts =
  `[] {} [1,-0.5e+3,true,false,null,"a"] {"a":{"b":[{}]},"":[]} ["\\u00e9\\n\\"\\/"] [ { [} {] [1,] [,1] {"a"} {"a":} {a:1} {"a":1,} []]
  "a" 1 null [01] [1.] [.5] [+1] [-] [1e] [tru] [nulll] ["a] ["\\x"] ["\\u12g4"] ["\\`.split(/\s+/);

const spaced = ['', ' ', ' \n[ ]\t\r', '[1 2]', '[] []', '["\n"]', '[\u00a01]', '["\u2028"]'];

test.each([...texts, ...spaced])('says of %j what JSON.parse says', (text) => {
  expect(isJsonStructure(text)).toBe(slowly(text));
});

test('says of any JSON, whole and with something changed, what JSON.parse says', () => {
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
      expect(isJsonStructure(text)).toBe(slowly(text));
      expect(isJsonStructure(changed)).toBe(slowly(changed));
    }),
    { numRuns: 3000 },
  );
});

test('takes nesting as deep as it comes', () => {
  for (const depth of [127, 128, 129, 255, 256, 257, 100_000]) {
    expect(isJsonStructure('['.repeat(depth) + ']'.repeat(depth))).toBe(true);
    expect(isJsonStructure('['.repeat(depth) + ']'.repeat(depth - 1))).toBe(false);
    expect(isJsonStructure('['.repeat(depth))).toBe(false);
  }
});
