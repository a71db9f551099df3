import { expect, test } from 'vitest';
import type { PlannedChange, PolicyReplay } from '../../../contract/policies.ts';
import { hasChanges, planLines } from './plan-lines.ts';
import { replayLines } from './replay-lines.ts';
import { painter } from '../terminal/terminal.ts';

const change = (action: PlannedChange['action'], name: string, more: Partial<PlannedChange> = {}): PlannedChange => ({
  action,
  kind: 'Guardrail',
  name,
  path: 'a.yaml',
  adopt: false,
  detached: false,
  fields: [],
  ...more,
});
const changes = [
  change('create', 'new'),
  change('update', 'changed', {
    fields: [
      { path: '/priority', before: 100, after: 5 },
      { path: '/config/terms', before: null, after: ['a long term that does not fit', 'another one of that kind'] },
    ],
  }),
  change('remove', 'old', { path: null }),
  change('none', 'same'),
  change('none', 'taken', { adopt: true }),
];
const summary = { create: 1, update: 1, remove: 1, none: 2 };

test('a plan as a diff', () => {
  expect(planLines({ changes, summary }, painter(false))).toEqual([
    '+ Guardrail new  (a.yaml)',
    '~ Guardrail changed  (a.yaml)',
    '    ~ /priority: 100 -> 5',
    '    ~ /config/terms:',
    '        - null',
    '        + ["a long term that does not fit","another one of that kind"]',
    '- Guardrail old',
    '= Guardrail taken  (a.yaml; taken over from the dashboard)',
    '',
    'Plan: 1 to create, 1 to update, 1 to remove, 2 unchanged.',
  ]);
});

test('colours mark what happens', () => {
  const [created = '', updated = '', , , , , removed = ''] = planLines({ changes, summary }, painter(true));
  expect([created, updated, removed].map((line) => line.slice(0, 8))).toEqual([
    '\u001B[32m+ G',
    '\u001B[33m~ G',
    '\u001B[31m- G',
  ]);
});

test('nothing to change, unless code takes something over', () => {
  const none = { changes: [change('none', 'same')], summary: { create: 0, update: 0, remove: 0, none: 1 } };
  expect(hasChanges(none)).toBe(false);
  expect(planLines(none, painter(false))).toEqual(['Nothing to change: 1 unchanged.']);
  expect(hasChanges({ changes: [change('none', 'taken', { adopt: true })] })).toBe(true);
});

test('texts of others cannot move the cursor', () => {
  const hostile = change('update', 'a', {
    path: '\u001B[2J.yaml',
    fields: [{ path: '/displayName', before: '\u009B2J', after: '\u202Eevil' }],
  });
  const text = planLines({ changes: [hostile], summary }, painter(false)).join('\n');
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(text).toContain(String.raw`\u{202e}evil`);
});

const replayed = (guardrail: string, figures: Partial<PolicyReplay['byGuardrail'][number]>) => ({
  guardrail,
  triggeredBefore: 0,
  triggeredAfter: 0,
  blockedBefore: 0,
  blockedAfter: 0,
  users: 0,
  examples: [],
  ...figures,
});

test('what the planned guardrails would have done', () => {
  const replay: PolicyReplay = {
    from: '2026-11-15T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
    spans: 4_812,
    byGuardrail: [
      replayed('cards', {
        triggeredAfter: 312,
        blockedAfter: 312,
        users: 4,
        examples: [{ traceId: 't1', spanId: 's1', stage: 'input', labels: ['payment_card'] }],
      }),
      replayed('flags', { triggeredBefore: 2, triggeredAfter: 3, users: 1 }),
      replayed('looser', { triggeredBefore: 5, blockedBefore: 5 }),
      replayed('same', { triggeredBefore: 7, triggeredAfter: 7 }),
      replayed('others', {
        triggeredBefore: 7,
        triggeredAfter: 7,
        users: 2,
        examples: [{ traceId: 't2', spanId: 's2', stage: 'output', labels: [] }],
      }),
    ],
    totals: { blockedBefore: 5, blockedAfter: 312 },
  };
  expect(replayLines(replay, painter(false))).toEqual([
    'cards would block 312 calls of 4 users that passed last week.',
    '    input of span s1 in trace t1: payment_card',
    'flags would find something in 1 call of 1 user in which it found nothing last week.',
    'looser would let 5 calls pass that it blocked last week.',
    'others would find something in calls of 2 users in which it found nothing last week, and nothing in as many others.',
    '    output of span s2 in trace t2',
    'Replayed 4,812 calls of last week: 5 blocked by the guardrails of today, 312 by the planned ones.',
  ]);
  const day = { ...replay, from: '2026-11-21T00:00:00.000Z', byGuardrail: [], truncated: true };
  expect(replayLines(day, painter(false))).toEqual([
    'Replayed 4,812 calls of the last 24 hours, the newest ones only, because the time was over: 5 blocked by the guardrails of today, 312 by the planned ones.',
  ]);
});
