import { expect, test } from 'vitest';
import { ApiError } from '../../api/client.ts';
import { refusalOf } from './refusal.ts';

const refused = (code: string, body: Record<string, unknown> = {}, status = 409) =>
  refusalOf(new ApiError(status, code, 'No.', [], null, body));

test('each refusal of an apply is explained, with what stands in the way', () => {
  expect(refused('stale_plan')).toMatchObject({ planAgain: true, items: [] });
  expect(refused('policy_detached', { policies: [{ kind: 'Guardrail', name: 'pii' }] })).toMatchObject({
    items: ['Guardrail pii'],
    planAgain: true,
  });
  expect(
    refused('removal_not_allowed', {
      removals: [
        { kind: 'Environment', name: 'old' },
        { kind: 'Guardrail', name: 'x' },
      ],
    }),
  ).toMatchObject({ items: ['Environment old', 'Guardrail x'], planAgain: false });
  expect(refused('environment_in_use', { attached: { guardrails: ['a'], alerts: ['slow'], incidents: ['1'] } })).toMatchObject({
    items: ['Guardrail a', 'Alert slow', 'Incident 1'],
  });
});

test('other errors are not refusals', () => {
  expect(refused('conflict')).toBeNull();
  expect(refused('stale_plan', {}, 500)).toBeNull();
  expect(refusalOf(new Error('x'))).toBeNull();
  expect(refusalOf(null)).toBeNull();
});

test('a body of another shape does no harm, and long lists are cut', () => {
  expect(refused('policy_detached', { policies: 'all' })?.items).toEqual([]);
  expect(refused('removal_not_allowed', { removals: [null, 1] })?.items).toEqual([]);
  expect(refused('environment_in_use', { attached: null })?.items).toEqual([]);
  const many = Array.from({ length: 23 }, (_, index) => ({ kind: 'Guardrail', name: String(index) }));
  expect(refused('policy_detached', { policies: many })?.items).toHaveLength(21);
  expect(refused('policy_detached', { policies: many })?.items.at(-1)).toBe('and 3 more');
});
