import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePatterns, PatternSetError } from './index.ts';
import { requiredLiteral } from './required-literal.ts';

test.each([
  [String.raw`\bproject-1\d{3,8}\b`, 'project-1'],
  ['abc+d', 'abc'],
  ['abcd?e', 'abc'],
  ['abc{0}xyz', 'xyz'],
  ['order [0-9]+ of', 'order '],
  ['^Bearer .*token', 'Bearer '],
  ['abc|d', null],
  ['(?i)abcdef', null],
  ['ab', null],
  [String.raw`\Qabc?\E`, null],
  ['[abc]def', null],
])('the literal of %s', (pattern, literal) => {
  expect(requiredLiteral(pattern)).toBe(literal);
});

test('stands in every match', () => {
  const atom = fc.constantFrom(
    'abc',
    'b',
    'é',
    '\u{1f600}',
    ' ',
    '-',
    '.',
    String.raw`\d`,
    String.raw`\b`,
    '[a-c]',
    '(ab)',
    '$',
    '^',
  );
  const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,2}', '*?', '??');
  const pattern = fc
    .array(
      fc.tuple(atom, quantifier).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.join(''));
  const text = fc
    .array(fc.constantFrom('abc', 'b', 'bb', 'é', '\u{1f600}', ' ', '-', '1', 'ab', '\ud83d'), { maxLength: 8 })
    .map((parts) => parts.join(''));
  let found = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
      const literal = requiredLiteral(source);
      if (literal === null) return;
      try {
        // In a class of its own, so that the set cannot leave the pattern out by its literal.
        const set = compilePatterns([{ pattern: `(${source})` }]);
        for (const one of texts) {
          for (const { start, end } of set.find(one).matches) {
            found += 1;
            expect(one.slice(start, end)).toContain(literal);
          }
        }
      } catch (error) {
        if (!(error instanceof PatternSetError)) throw error;
      }
    }),
    { numRuns: 3_000, endOnFailure: true },
  );
  expect(found).toBeGreaterThan(50);
});
