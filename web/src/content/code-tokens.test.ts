import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeTokens } from './code-tokens.ts';

const marked = (code: string, language: string) =>
  codeTokens(code, language)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind}: ${text}`);

test('keywords, strings, numbers and comments, by language', () => {
  expect(marked('def add(a): # sum "x"\n  return a + 1.5', 'python')).toEqual([
    'keyword: def',
    'comment: # sum "x"',
    'keyword: return',
    'number: 1.5',
  ]);
  expect(marked('const url = "http://a#b"; // done', 'ts')).toEqual([
    'keyword: const',
    'string: "http://a#b"',
    'comment: // done',
  ]);
  expect(marked("SELECT 'it' FROM t -- all", 'sql')).toEqual([
    'keyword: SELECT',
    "string: 'it'",
    'keyword: FROM',
    'comment: -- all',
  ]);
  expect(marked('/* a\n b */ x', '')).toEqual(['comment: /* a\n b */']);
  expect(marked('let it be', 'text')).toEqual([]);
});

test('nothing is lost of any text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', "'", '`', '\\', '/', '*', '#', '-', '\n', 'a', ' ', '1', 'é') }),
      fc.constantFrom('', 'py', 'sql'),
      (code, language) => {
        expect(
          codeTokens(code, language)
            .map(({ text }) => text)
            .join(''),
        ).toBe(code);
      },
    ),
  );
});
