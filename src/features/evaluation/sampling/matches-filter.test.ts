import { expect, test } from 'vitest';
import { matchesFilter } from './matches-filter.ts';
import type { FilterFacts } from './matches-filter.ts';

const facts: FilterFacts = {
  kinds: ['llm'],
  models: new Set(['a', 'b']),
  agents: new Set(['x']),
  environments: new Set(['production']),
  tags: new Set(),
};

test.each([
  [{}, true],
  [{ models: ['b', 'c'] }, true],
  [{ models: ['c'] }, false],
  [{ models: ['a'], agents: ['x'], environments: ['production'], kinds: ['llm' as const] }, true],
  [{ models: ['a'], agents: ['y'] }, false],
  [{ tags: ['t'] }, false],
  [{ environments: ['Production'] }, false],
])('%j: %s', (filter, matches) => {
  expect(matchesFilter(filter, facts)).toBe(matches);
});

test('spans of kind evaluator or guardrail match only filters that name the kind', () => {
  const judging = { ...facts, kinds: ['evaluator' as const] };
  expect(matchesFilter({}, judging)).toBe(false);
  expect(matchesFilter({ models: ['a'] }, judging)).toBe(false);
  expect(matchesFilter({ kinds: ['guardrail'] }, judging)).toBe(false);
  expect(matchesFilter({ kinds: ['evaluator'] }, judging)).toBe(true);
  expect(matchesFilter({}, { ...facts, kinds: [] })).toBe(true);
});
