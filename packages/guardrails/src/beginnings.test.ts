import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Beginnings } from './beginnings.ts';
import { foldCase } from './fold-case.ts';
import { injectionPatterns } from './injection/injection-patterns.ts';
import { LinearSearch } from './linear-search.ts';
import { Budget } from './budget.ts';
import { compileLinear } from './pattern.ts';
import { programOf } from './program.ts';
import { classOf, Trigrams } from './trigrams.ts';

const pieces = [
  'abc',
  'k',
  'S',
  'i',
  'ı',
  'ſ',
  'K',
  'é',
  '\u{1f600}',
  '\ud83d',
  '\ude00',
  ' ',
  '\n',
  '\u00a0',
  '-',
  '_',
  '.',
  '7',
  '#',
  'ignore',
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((parts) => parts.join(''));

test('characters that fold to one another have one class', () => {
  for (let unit = 0; unit < 0x10000; unit += 1) {
    const folded = foldCase(String.fromCharCode(unit));
    expect(classOf(folded.charCodeAt(0)), unit.toString(16)).toBe(classOf(unit));
  }
});

test('a term may stand in every text that has it, in either case', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.nat(3), text, text, (terms, index, before, after) => {
      const wanted = terms.filter((term) => term !== '');
      const term = wanted[index % wanted.length];
      if (term === undefined) return;
      const beginnings = Beginnings.ofTexts(wanted);
      for (const shown of [term, term.toLowerCase()])
        if (foldCase(shown) === foldCase(term)) expect(beginnings.mayStandIn(new Trigrams(before + shown + after))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a pattern may match in every text in which it does', () => {
  const atom = fc.constantFrom(
    ...pieces.slice(0, -4),
    String.raw`\s`,
    String.raw`\b`,
    '[a-k]',
    '[^a]',
    '(?:ab|k)',
    '.',
    String.raw`\p{L}`,
    '^',
  );
  const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,2}');
  const pattern = fc
    .array(
      fc.tuple(atom, quantifier).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(''));
  let found = 0;
  fc.assert(
    fc.property(pattern, fc.boolean(), fc.array(text, { minLength: 5, maxLength: 5 }), (source, ignoreCase, texts) => {
      const program = programOf(compileLinear(source, { ignoreCase }));
      const beginnings = Beginnings.ofProgram(program);
      for (const one of texts) {
        if (!new LinearSearch(program, one).find(0, new Budget())) continue;
        found += 1;
        expect(beginnings.mayStandIn(new Trigrams(one))).toBe(true);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(found).toBeGreaterThan(1_000);
});

test('ordinary prose has no beginning of a phrase that replaces instructions', () => {
  const prose = new Trigrams(
    'Please tell the customer that the parcel left the warehouse on Tuesday and will arrive within four days. ',
  );
  const possible = injectionPatterns.filter(({ pattern }) =>
    Beginnings.ofProgram(programOf(compileLinear(pattern, { ignoreCase: true }))).mayStandIn(prose),
  );
  expect(possible).toEqual([]);
});

test('trigrams are those of the text that is asked for, also after another one', () => {
  const beginnings = Beginnings.ofTexts(['secret']);
  const [one, other] = [new Trigrams('a secret'), new Trigrams('nothing')];
  expect([one, other, one, other].map((trigrams) => beginnings.mayStandIn(trigrams))).toEqual([true, false, true, false]);
});
