import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFaultAt } from './json-fault.ts';

test.each([
  ['{"input":}', 9],
  ['{"input": tru}', 10],
  ['hello', 0],
  ['{"input":1,}', 11],
  ['{"input":1', 10],
  ['{"a":[1,2}', 9],
  ['[1,]', 3],
  ['  {"a" 1}', 7],
  ['{"a":"b\\x"}', 5],
  ['{} {}', 3],
  ['{a:1}', 1],
  ['', 0],
])('%s', (text, at) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonFaultAt(text)).toBe(at);
});

test.each([
  '"' + 'a'.repeat(1_000_000),
  '"' + String.raw`\n`.repeat(500_000),
  '['.repeat(1_000_000),
  '1'.repeat(1_000_000) + 'x',
])('a megabyte that never ends is read once (%#)', (text) => {
  expect(jsonFaultAt(text)).toBe(text.startsWith('"') ? 0 : text.startsWith('[') ? text.length : text.length - 1);
});

test('in mutated JSON it is the position of JSON.parse, or the start of the token that contains it', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom('', '}', ']', ',', ':', '"', 'x', '0', '\n', '{'),
      (json, place, put) => {
        const cut = place % (json.length + 1);
        const text = json.slice(0, cut) + put + json.slice(cut + 1);
        try {
          JSON.parse(text);
        } catch (error) {
          const at = jsonFaultAt(text);
          const said = /at position (\d+)/.exec(String(error))?.[1];
          if (said !== undefined) expect(at).toBeLessThanOrEqual(Number(said));
          expect(at).toBeLessThanOrEqual(text.length);
          // The text before the fault is a valid prefix.
          expect(jsonFaultAt(text.slice(0, at))).toBe(at);
        }
      },
    ),
  );
});
