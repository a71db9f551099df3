import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseKeepingNumbers, withNumbersReplaced } from './index.ts';

const digits = fc.stringMatching(/^[1-9]\d{15,30}$/);
const numberText = fc.oneof(
  digits,
  digits.map((text) => `-${text}`),
  fc.tuple(digits, digits).map(([whole, fraction]) => `${whole}.${fraction}`),
  digits.map((text) => `0.${text}`),
  fc.stringMatching(/^[1-9]\.\d{1,4}[eE][+-]?\d{3}$/),
  fc.oneof(fc.integer(), fc.constant(0)).map(String),
);
const strings = fc.oneof(
  fc.string(),
  digits,
  fc.constantFrom('\\', '"', '\\"', '1,12345678901234567,', '"12345678901234567', '__proto__'),
);
const space = fc.constantFrom('', ' ', '\n\t');

/** JSON texts with their form without white space. */
interface Written {
  text: string;
  compact: string;
}
const scalar = fc
  .oneof(
    numberText,
    strings.map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'false', 'null'),
  )
  .map((text): Written => ({ text, compact: text }));
const { json } = fc.letrec<{ json: Written }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc.tuple(space, fc.array(tie('json'), { maxLength: 5 }), space).map(([before, entries, after]) => ({
      text: `[${before}${entries.map(({ text }) => text).join(`${after},${before}`)}${after}]`,
      compact: `[${entries.map(({ compact }) => compact).join(',')}]`,
    })),
    fc
      .tuple(
        space,
        fc.uniqueArray(
          fc.tuple(
            strings.filter((name) => !/[\\"]/.test(name)),
            tie('json'),
          ),
          { maxLength: 5, selector: ([name]) => name },
        ),
        space,
      )
      .map(([before, members, after]) => {
        // No index as a name (JavaScript puts those first), and no escapes in names (V8 bug, nodejs/node#63785).
        const named = members.map(([name, value]) => ({ name: JSON.stringify(`.${name}`), value }));
        return {
          text: `{${before}${named.map(({ name, value }) => `${name}${after}:${before}${value.text}`).join(',')}${after}}`,
          compact: `{${named.map(({ name, value }) => `${name}:${value.compact}`).join(',')}}`,
        };
      }),
  ),
}));

test('numbers keep their digits anywhere in the text, and strings are unchanged', () => {
  fc.assert(
    fc.property(json, ({ text, compact }) => {
      expect(JSON.stringify(parseKeepingNumbers(text, JSON.parse(text)))).toBe(compact);
    }),
    { numRuns: 2_000 },
  );
});

test('a text whose numbers are all exact is not parsed again', () => {
  const parsed = { value: 1.5 };
  expect(parseKeepingNumbers('{"value":1.5,"id":"12345678901234567890"}', parsed)).toBe(parsed);
});

test('members named as numbers are parsed as numbers', () => {
  const text = '{"costUsd":0.12345678901234567,"of":[{"costUsd":1e-20,"cost":1e-20}]}';
  const costUsd = Number('0.12345678901234567');
  const kept = parseKeepingNumbers(text, JSON.parse(text), new Set(['costUsd']));
  expect(kept).toMatchObject({ costUsd, of: [{ costUsd: 1e-20 }] });
  expect(JSON.stringify(kept)).toBe(`{"costUsd":${costUsd},"of":[{"costUsd":1e-20,"cost":1e-20}]}`);
});

test('each number is passed to the callback once, and null keeps it', () => {
  const seen: string[] = [];
  const text = '["1234567890123456", 1234567890123456,-12345678901234567e5 , 1]';
  const replacementOf = (source: string) => {
    seen.push(source);
    return source.startsWith('-') ? null : '"1234567890123456"';
  };
  expect(withNumbersReplaced(text, /\d{16}/g, replacementOf)).toBe(
    '["1234567890123456", "1234567890123456",-12345678901234567e5 , 1]',
  );
  expect(seen).toEqual(['1234567890123456', '-12345678901234567e5']);
});
