import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';

const nowMs = Date.UTC(2026, 10, 22, 10);
let service: Governance;
beforeAll(async () => {
  service = await openGovernance(nowMs);
});
afterAll(() => service.close());

const evaluate = async () => {
  for (const job of service.app.features.alerts.jobs ?? []) await job.run(new AbortController().signal);
};
/** Fires at its first evaluation. */
const silent = { type: 'cost', threshold: 1, noData: 'fire' };
const environment = async (name: string) => (await service.owner('POST', '/environments', { name })).body;

test('an environment is in use by rules and by incidents that are not resolved', async () => {
  const { id } = await environment('production');
  const rule = (await service.owner('POST', '/alerts', { ...silent, name: 'Cost', environment: 'production' })).body;
  await evaluate();
  const [incident] = (await service.owner('GET', '/incidents')).body.incidents;
  const refused = await service.owner('DELETE', `/environments/${id}`);
  expect([refused.status, refused.body.code]).toEqual([409, 'environment_in_use']);
  expect(refused.body.attached).toEqual({ guardrails: [], alerts: ['Cost'], incidents: [incident.id] });
  expect((await service.owner('DELETE', `/alerts/${rule.id}`)).status).toBe(204);
  expect((await service.owner('DELETE', `/environments/${id}`)).status).toBe(204);
});

test('a rule is not saved for an environment that is being deleted', async () => {
  for (let round = 0; round < 5; round++) {
    const name = `short-${round}`;
    const { id } = await environment(name);
    const [made, deleted] = await Promise.all([
      service.owner('POST', '/alerts', { ...silent, name, environment: name }),
      service.owner('DELETE', `/environments/${id}`),
    ]);
    expect(['201 409', '400 204']).toContain(`${made.status} ${deleted.status}`);
  }
});

test('an incident lists the changes of the 24 hours before it', async () => {
  const report = (description: string, ago: number) =>
    service.owner('POST', '/changes', { kind: 'deploy', description, at: new Date(nowMs - ago * 3_600_000).toISOString() });
  for (const [description, ago] of [
    ['old', 25],
    ['one', 2],
    ['two', 1],
    ['later', -1],
  ] as const)
    await report(description, ago);
  const rule = (await service.owner('POST', '/alerts', { ...silent, name: 'With changes' })).body;
  await evaluate();
  const [incident] = (await service.owner('GET', `/incidents?ruleId=${rule.id}`)).body.incidents;
  expect(incident.changes.map(({ description }: { description: string }) => description)).toEqual(['two', 'one']);
  const { body } = await service.owner('GET', `/incidents/${incident.id}`);
  expect(body).toEqual(incident);
});

test('a rule of type model-lifecycle is not evaluated', async () => {
  const rule = (await service.owner('POST', '/alerts', { name: 'Retirements', type: 'model-lifecycle' })).body;
  expect(rule).toMatchObject({ threshold: null, window: null, minCount: null, state: 'ok' });
  await evaluate();
  expect((await service.owner('GET', `/alerts/${rule.id}`)).body).toEqual(rule);
});

test.each([
  ['POST', '/alerts', { type: 'model-lifecycle', name: 'n', channels: [{ type: 'webhook', url: 'http://127.0.0.1:1/a\0' }] }],
  ['POST', '/alerts', { type: 'model-lifecycle', name: 'n', channels: [{ type: 'webhook', url: 'http://127.0.0.1:1/\ud800' }] }],
  ['GET', '/incidents?environment=%00', undefined],
  ['GET', '/changes?environment=a%00', undefined],
  ['GET', '/changes?service=%00', undefined],
] as const)('%s %s with a text that cannot be stored is refused', async (method, path, body) => {
  expect((await service.owner(method, path, body)).status).toBe(400);
});

test('a fix proposal for a prompt whose name cannot be stored is refused', async () => {
  const [incident] = (await service.owner('GET', '/incidents')).body.incidents;
  const { status } = await service.owner('POST', `/incidents/${incident.id}/fix-proposals`, { promptName: 'a\0' });
  expect(status).toBe(400);
});

test.each(['1899-12-31T00:00:00Z', '1960-01-01T00:00:00Z', '1970-01-01T10:00:00Z'])(
  'the impact of a change of %s has no calls',
  async (at) => {
    const { body: change } = await service.owner('POST', '/changes', { kind: 'deploy', at });
    const { status, body } = await service.owner('GET', `/changes/${change.id}/impact`);
    expect([status, body.before.calls, body.after.calls]).toEqual([200, 0, 0]);
  },
);
