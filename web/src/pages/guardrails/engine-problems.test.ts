import { expect, test } from 'vitest';
import { validateConfig } from '../../../../packages/guardrails/src/index.ts';
import { problemAt, shownProblems } from './engine-problems.ts';

const draft = {
  type: 'regex',
  action: 'block',
  config: { patterns: [{ pattern: '' }, { pattern: '(a' }, { pattern: 'a', label: 'x'.repeat(101) }] },
} as const;

test('an empty field is a problem once the form was sent', () => {
  const problems = validateConfig(draft);
  expect(shownProblems(problems, draft, false).map(({ path }) => path)).toEqual([
    '/config/patterns/1/pattern',
    '/config/patterns/2/label',
  ]);
  const all = shownProblems(problems, draft, true);
  expect(all.map(({ path }) => path)).toEqual(problems.map(({ path }) => path));
  expect(problemAt(all, '/config/patterns/0/pattern')).toBe('Must be a text of 1 to 10000 characters.');
  expect(problemAt(all, '/config/patterns/2')).toBe('Must be a text of 1 to 100 characters.');
  expect(problemAt(all, '/config/pattern')).toBeNull();
});

test('a list that is missing is empty', () => {
  const blocklist = { type: 'blocklist', action: 'block', config: { terms: [] } } as const;
  const problems = validateConfig(blocklist);
  expect(shownProblems(problems, blocklist, false)).toEqual([]);
  expect(shownProblems(problems, blocklist, true)).toEqual([
    { path: '/config/terms', message: 'Must be a list of 1 to 1000 items.' },
  ]);
});
