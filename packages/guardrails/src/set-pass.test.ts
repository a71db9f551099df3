import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget, OverBudget } from './budget.ts';
import { compileLinear } from './pattern.ts';
import { programOf } from './program.ts';
import { SetPass } from './set-pass.ts';

const passOf = (...patterns: string[]) => new SetPass(patterns.map((pattern) => programOf(compileLinear(pattern))));
const words = fc.constantFrom('a', 'b', 'ab', 'ba', '1', ' ', '\n', 'é', '世', '界', '😀');
const texts = fc.array(words, { maxLength: 60 }).map((parts) => parts.join(''));
const patterns = ['a.*b', String.raw`\bab\b`, '^1', 'é$', '[^a-z]{3}', '(?:a|ab)+1'];

function steps(pass: SetPass, text: string): { found: number[]; steps: number } {
  const budget = new Budget(1e9);
  const found = pass.candidates(text, budget);
  return { found, steps: 1e9 - budget.left };
}

test('a text takes the same steps and has the same candidates, whatever texts came before', () => {
  const kept = passOf(...patterns);
  fc.assert(
    fc.property(texts, (text) => {
      expect(steps(kept, text)).toEqual(steps(passOf(...patterns), text));
    }),
    { numRuns: 200 },
  );
});

test('states are forgotten when there are too many, and the candidates stay right', () => {
  const endless = String.raw`[ab]*a[ab]{12}c`;
  let seed = 1;
  const letter = () => ((seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff) >> 30 === 1 ? 'a' : 'b');
  const random = Array.from({ length: 20_000 }, letter).join('');
  const ending = `a${'b'.repeat(12)}c`;
  const pass = passOf(endless, 'zz');
  const cold = steps(pass, `${random}${ending}`);
  expect(cold.found).toEqual([0]);
  expect(cold.steps).toBeGreaterThan(1_000_000);
  expect(steps(pass, `${random}${ending}`)).toEqual(cold);
  expect(steps(pass, `${random}zz`).found).toEqual([1]);
});

test('many different characters are no more than many states', () => {
  const pass = passOf('世+界', 'x');
  const all = Array.from({ length: 40_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
  expect(steps(pass, `${all}世世界`).found).toEqual([0]);
  expect(steps(pass, `${all}x`).found).toEqual([1]);
});

test('a pass that needs too many states ends over its budget', () => {
  expect(() => passOf('a.*b').candidates('a1b'.repeat(100), new Budget(50))).toThrow(OverBudget);
});
