import { expect, test } from 'vitest';
import { driftText, organizationFigures } from './policy-figures.ts';

const drifted = (name: string, reason: 'detached' | 'differs') => ({ kind: 'Guardrail' as const, name, reason });

test('what differs from its file stands beside what was detached', () => {
  expect(driftText([drifted('a', 'detached'), drifted('b', 'differs')])).toBe('Detached: a · Differs from its file: b');
});

test('drift is listed by reason, and long lists are counted', () => {
  expect(driftText([])).toBe('');
  expect(driftText([drifted('a', 'differs'), drifted('b', 'detached'), drifted('c', 'differs')])).toBe(
    'Detached: b · Differs from its file: a, c',
  );
  const seven = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => drifted(name, 'detached'));
  expect(driftText(seven)).toBe('Detached: a, b, c, d, e and 2 more');
  expect(driftText(seven.slice(0, 5))).toBe('Detached: a, b, c, d, e');
});

test('projects that have ever applied files are counted', () => {
  const project = {
    projectId: '',
    name: '',
    slug: '',
    revision: 0,
    counts: { guardrails: 0, environments: 0 },
    drift: [],
    unmanaged: [],
  };
  const lastApply = { at: '2026-11-20T10:00:00.000Z', by: 'ada', revision: 1 };
  expect(
    organizationFigures([
      { ...project, lastApply: null },
      { ...project, lastApply },
    ]),
  ).toEqual({ projects: 2, applying: 1 });
});
