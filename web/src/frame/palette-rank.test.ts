import { expect, test } from 'vitest';
import { lookUp, paletteRank } from './palette-rank.ts';

const best = (typed: string, values: readonly string[]) =>
  values
    .map((value) => [value, paletteRank(value, typed)] as const)
    .filter(([, rank]) => rank > 0)
    .toSorted(([, left], [, right]) => right - left)
    .map(([value]) => value);

test('names that begin with the text come before words and texts within words', () => {
  const values = ['Mapping inspector', 'model my-gpt', 'model gpt-4o', 'prompt chatgpt', `${lookUp}text gpt`];
  expect(best('gpt', values)).toEqual(['model gpt-4o', 'model my-gpt', 'prompt chatgpt', `${lookUp}text gpt`]);
  expect(best('GPT-4o', values)[0]).toBe('model gpt-4o');
});

test('letters that are spread over an entry do not match', () => {
  expect(best('claude', ['project default/default Default', 'model claude-sonnet-4-5'])).toEqual(['model claude-sonnet-4-5']);
  expect(best('gpt', ['Mapping inspector', 'guardrail prompt-safety'])).toEqual([]);
});

test('an abbreviation of a word matches, and a kind with a name', () => {
  expect(best('trcs', ['Traces', 'Simulations'])).toEqual(['Traces']);
  expect(best('model mini', ['model gpt-4o-mini', 'model gpt-4o', 'Model lifecycle'])).toEqual(['model gpt-4o-mini']);
  expect(best('guardrail', ['Guardrails', 'guardrail cards'])).toEqual(['Guardrails', 'guardrail cards']);
});
