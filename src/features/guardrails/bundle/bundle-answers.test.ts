import { expect, test } from 'vitest';
import type { PolicyBundle } from '../../../contract/guardrails.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import type { ProjectPolicies } from '../policies/project-policies.ts';
import { BundleAnswers } from './bundle-answers.ts';

const guardrail = {
  name: 'n',
  config: {},
  priority: 1,
  onError: 'block',
  enabled: true,
  stage: 'input',
  action: 'flag',
} as const;
const policies: ProjectPolicies = {
  projectId: 'p',
  revision: 3,
  environments: new Set(),
  configLength: 10,
  compiledSize: 0,
  guardrails: [
    { ...guardrail, slug: 'everywhere', type: 'pii', environments: null },
    { ...guardrail, slug: 'live', type: 'secrets', environments: ['live'], stage: 'output' },
    { ...guardrail, slug: 'off', type: 'pii', environments: null, enabled: false },
    { ...guardrail, slug: 'judge', type: 'llm_judge', config: { connection: 'c' }, environments: null, stage: 'both' },
  ],
};
const read = ({ body }: { body: Buffer }) => JSON.parse(body.toString()) as PolicyBundle;
const slugs = (bundle: PolicyBundle) => bundle.guardrails.map(({ slug }) => slug);

test('the same policies have the same ETag in every process, whenever it compiles them', () => {
  const [early, late] = [new BundleAnswers(new ManualClock(1_000)), new BundleAnswers(new ManualClock(2_000))];
  const [first, second] = [early.of(policies, undefined), late.of(policies, undefined)];
  expect(first.etag).toBe(second.etag);
  expect([read(first).compiledAt, read(second).compiledAt]).toEqual(['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:02.000Z']);
  expect({ ...read(first), compiledAt: '' }).toEqual({ ...read(second), compiledAt: '' });
  // From memory: the very same bytes.
  expect(early.of(policies, undefined)).toBe(first);
  const changed = { ...policies, revision: 4, guardrails: policies.guardrails.slice(1) };
  for (const other of [early.of(policies, 'live'), early.of(changed, undefined)]) expect(other.etag).not.toBe(first.etag);
});

test('a bundle has the enabled guardrails of its environment, and nothing of a judge', () => {
  const answers = new BundleAnswers(new ManualClock(0));
  expect(slugs(read(answers.of(policies, undefined)))).toEqual(['everywhere', 'judge']);
  expect(slugs(read(answers.of(policies, 'live')))).toEqual(['everywhere', 'live', 'judge']);
  expect(read(answers.of(policies, 'other')).guardrails.at(-1)).toMatchObject({ slug: 'judge', config: null, remote: true });
});
