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
  expect(problemAt(all, '/config/patterns/0/pattern')).toBe('Required.');
  expect(problemAt(all, '/config/patterns/2')).toBe('At label: Must be a text of 1 to 100 characters.');
  expect(problemAt(all, '/config/pattern')).toBeNull();
});

test('a list that is missing is empty', () => {
  const blocklist = { type: 'blocklist', action: 'block', config: { terms: [] } } as const;
  const problems = validateConfig(blocklist);
  expect(shownProblems(problems, blocklist, false)).toEqual([]);
  expect(shownProblems(problems, blocklist, true)).toEqual([{ path: '/config/terms', message: 'Required.' }]);
});

test('a message names the part of the field that it is about', () => {
  const regions = { type: 'pii', action: 'block', config: { phoneRegions: ['US', 'XX'] } } as const;
  expect(problemAt(shownProblems(validateConfig(regions), regions, false), '/config/phoneRegions')).toMatch(
    /^Item 2: Must be a region/,
  );
  const schema = { type: 'json_schema', action: 'block', config: { schema: { properties: { a: { type: 'text' } } } } } as const;
  expect(problemAt(shownProblems(validateConfig(schema), schema, false), '/config/schema')).toMatch(
    /^At properties\/a\/type: Must be one of/,
  );
});
