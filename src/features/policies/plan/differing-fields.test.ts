import { expect, test } from 'vitest';
import type { Specification } from '../../policy-revisions/index.ts';
import { differingFields } from './differing-fields.ts';

const guardrail = (type: 'pii' | 'secrets', config: object): Specification => ({
  kind: 'Guardrail',
  name: 'a',
  spec: {
    displayName: 'a',
    type,
    stage: 'input',
    action: 'block',
    config,
    environments: null,
    priority: 100,
    enabled: true,
    onError: 'block',
  },
});

test('a change of the type names the fields that either side gives', () => {
  expect(differingFields(guardrail('pii', { entities: ['email'] }), guardrail('secrets', {}))).toEqual([
    { path: '/config/entities', before: ['email'], after: null },
    { path: '/type', before: 'pii', after: 'secrets' },
  ]);
  expect(differingFields(guardrail('pii', {}), guardrail('secrets', {}))).toEqual([
    { path: '/type', before: 'pii', after: 'secrets' },
  ]);
});

test('a field that is left out equals one with its default', () => {
  expect(differingFields(guardrail('pii', {}), guardrail('pii', { phoneRegions: ['US'] }))).toEqual([]);
  const entities = ['email', 'phone', 'payment_card', 'iban', 'us_ssn', 'ip_address'];
  expect(differingFields(guardrail('pii', {}), guardrail('pii', { entities }))).toEqual([]);
  expect(differingFields(guardrail('pii', { entities: entities.toReversed() }), guardrail('pii', { entities }))).toEqual([]);
  expect(differingFields(guardrail('secrets', { exclude: ['jwt'] }), guardrail('secrets', {}))).toEqual([
    { path: '/config/exclude', before: ['jwt'], after: null },
  ]);
});
