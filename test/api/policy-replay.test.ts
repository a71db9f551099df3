import { afterAll, beforeAll, expect, test } from 'vitest';
import * as wire from '../../src/contract/policies.ts';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import { applied, planned, policy, policyFile } from '../support/policy-files.ts';
import { hourMs } from '../../src/contract/durations.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);

let service: Governance;

/** A recorded call; `hours` before now. */
const span = (spanId: string, hours: number, fields: object) => ({
  type: 'span',
  traceId: `t-${spanId}`,
  spanId,
  name: 'call',
  kind: 'llm',
  model: 'm',
  startTime: new Date(nowMs - hours * hourMs).toISOString(),
  ...fields,
});

beforeAll(async () => {
  service = await openGovernance(nowMs);
  await service.app.send([
    span('a', 1, { input: 'secret word', output: 'fine', userId: 'ann', environment: 'production' }),
    span('b', 2, { input: { text: 'a secret inside' }, output: 'secret', userId: 'ann', environment: 'production' }),
    span('c', 3, { input: 'nothing', output: 'the secret word', userId: 'bob', environment: 'staging' }),
    span('d', 4, { input: 'a secret of nobody' }),
    { type: 'trace', traceId: 't-e', userId: 'eve', timestamp: new Date(nowMs - 5 * hourMs).toISOString() },
    span('e', 5, { input: 'secret', environment: 'staging' }),
    span('tool', 1, { kind: 'tool', input: 'secret' }),
    span('old', 30, { input: 'secret', userId: 'old' }),
    span('silent', 6, {}),
  ]);
  await applied(service, [
    policyFile(
      'a.yaml',
      policy('Environment', 'production'),
      policy('Guardrail', 'kept', { type: 'blocklist', config: { terms: ['word'] } }),
      policy('Guardrail', 'gone', { type: 'blocklist', config: { terms: ['nothing'] } }),
    ),
  ]);
});
afterAll(() => service.close());

const files = [
  policyFile(
    'a.yaml',
    policy('Environment', 'production'),
    policy('Guardrail', 'kept', { type: 'blocklist', config: { terms: ['word'] }, stage: 'both', action: 'flag' }),
    policy('Guardrail', 'new', { type: 'blocklist', config: { terms: ['secret'] }, stage: 'both' }),
    policy('Guardrail', 'here', { type: 'blocklist', config: { terms: ['inside'] }, environments: ['production'] }),
    policy('Guardrail', 'off', { type: 'blocklist', config: { terms: ['secret'] }, enabled: false }),
  ),
];

test('a replay says what the planned guardrails would have done to recorded calls', async () => {
  const { replay } = await planned(service, files, { replay: { hours: 24 } });
  const example = (spanId: string, stage: string, label = 'secret') => ({
    traceId: `t-${spanId}`,
    spanId,
    stage,
    labels: [label],
  });
  expect(wire.replay.strict().parse(replay)).toEqual({
    from: new Date(nowMs - 24 * hourMs).toISOString(),
    to: new Date(nowMs).toISOString(),
    spans: 6,
    byGuardrail: [
      { guardrail: 'gone', triggeredBefore: 1, triggeredAfter: 0, blockedBefore: 1, blockedAfter: 0, users: 0, examples: [] },
      {
        guardrail: 'here',
        triggeredBefore: 0,
        triggeredAfter: 1,
        blockedBefore: 0,
        blockedAfter: 1,
        users: 1,
        examples: [example('b', 'input', 'inside')],
      },
      {
        guardrail: 'kept',
        triggeredBefore: 1,
        triggeredAfter: 2,
        blockedBefore: 1,
        blockedAfter: 0,
        users: 1,
        examples: [example('c', 'output', 'word')],
      },
      {
        guardrail: 'new',
        triggeredBefore: 0,
        triggeredAfter: 5,
        blockedBefore: 0,
        blockedAfter: 5,
        users: 3,
        examples: [
          example('a', 'input'),
          example('b', 'input'),
          example('c', 'output'),
          example('d', 'input'),
          example('e', 'input'),
        ],
      },
    ],
    totals: { blockedBefore: 2, blockedAfter: 5 },
  });
});

test('a replay is only made on request, over at most 168 hours', async () => {
  expect(await planned(service, files)).not.toHaveProperty('replay');
  expect((await planned(service, files, { replay: { hours: 168 } })).replay.spans).toBe(7);
  for (const hours of [0, 169, 1.5]) {
    expect((await service.owner('POST', '/policies/plan', { files, replay: { hours } })).status).toBe(400);
  }
});
