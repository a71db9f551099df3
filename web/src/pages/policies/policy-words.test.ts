import { expect, test } from 'vitest';
import type { PlannedChange } from '../../api/policies.ts';
import { changesAnything, driftOf, planText, revisionText } from './policy-words.ts';

const policy = {
  id: '1',
  kind: 'Guardrail' as const,
  name: 'a',
  path: null,
  sha256: null,
  updatedAt: '2026-11-20T10:00:00.000Z',
  updatedBy: 'ada@example.com',
};
const dashboards = { ...policy, managedBy: 'dashboard' as const, detached: false };
const detached = { ...dashboards, detached: true };
const codes = { ...policy, managedBy: 'code' as const, detached: false };

test('drift is what code does not manage, in a project that has ever applied files', () => {
  expect([codes, detached, dashboards].map((one) => driftOf(one, true))).toEqual([null, 'detached', 'unmanaged']);
  expect([codes, detached, dashboards].map((one) => driftOf(one, false))).toEqual([null, null, null]);
});

test('summaries name what is not zero', () => {
  expect(revisionText({ create: 1, update: 0, remove: 2, none: 7 })).toBe('1 created, 2 removed');
  expect(revisionText({ create: 0, update: 0, remove: 0, none: 1 })).toBe('Adopted without changes');
  expect(planText({ summary: { create: 0, update: 3, remove: 0, none: 2 } })).toBe('3 to update, 2 unchanged');
  expect(planText({ summary: { create: 0, update: 0, remove: 0, none: 0 } })).toBe('No policies in the files or the project');
});

test('a plan that only adopts changes something', () => {
  const change: PlannedChange = {
    action: 'none',
    kind: 'Guardrail',
    name: 'a',
    path: 'a.yaml',
    adopt: false,
    detached: false,
    fields: [],
  };
  expect(changesAnything({ changes: [change] })).toBe(false);
  expect(changesAnything({ changes: [{ ...change, adopt: true }] })).toBe(true);
  expect(changesAnything({ changes: [change, { ...change, action: 'remove' }] })).toBe(true);
});
