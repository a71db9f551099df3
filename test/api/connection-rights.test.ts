import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import { applied, policy, policyFile } from '../support/policy-files.ts';

let service: Governance;

beforeAll(async () => {
  service = await openGovernance(Date.UTC(2026, 10, 20, 10));
});
afterAll(() => service.close());

const path = '/model-connections';
const connect = async (name: string) => {
  const body = { name, baseUrl: 'https://8.8.8.8/v1', model: 'm-1', apiKey: 'sk-secret' };
  return (await service.owner('POST', path, body)).body.id as string;
};
const judge = (connection: string, more: object = {}) => ({ connection, instructions: 'Block insults.', ...more });
const driftOf = async () => {
  const { body } = await service.ownerAt('GET', `/v1/organizations/${service.app.organizationId}/policies`);
  return body.projects.find((one: { projectId: string }) => one.projectId === service.app.projectId).drift;
};

test('a connection in use is neither deleted nor renamed: 409 with what uses it', async () => {
  const id = await connect('used');
  const guardrail = await service.owner('POST', '/guardrails', {
    slug: 'judge',
    name: 'Judge',
    type: 'llm_judge',
    stage: 'input',
    action: 'block',
    config: judge('used'),
  });
  expect(guardrail.status).toBe(201);
  const evaluator = await service.owner('POST', '/evaluators', {
    slug: 'tone',
    name: 'Tone',
    type: 'llm_judge',
    target: 'span',
    config: { connectionId: id, model: 'm-1', instructions: 'Be fair.', scale: [1, 5] },
  });
  expect(evaluator.status).toBe(201);
  const dataset = await service.ownerAt('POST', '/v1/datasets', { name: 'd', projectId: service.app.projectId });
  const prompt = { name: 'greet', prompt: 'Greet {{input}}.', projectId: service.app.projectId };
  await service.ownerAt('POST', '/v1/prompts', prompt);
  const scenario = await service.owner('POST', '/simulations/scenarios', {
    name: 'greeting',
    datasetId: dataset.body.id,
    target: { type: 'prompt', promptName: 'greet', connection: 'used' },
  });
  expect(scenario.status).toBe(201);
  const uses = [
    { kind: 'guardrail', id: guardrail.body.id, name: 'judge' },
    { kind: 'scenario', id: scenario.body.id, name: 'greeting' },
    { kind: 'evaluator', id: evaluator.body.id, name: 'tone' },
  ];

  const deleted = await service.owner('DELETE', `${path}/${id}`);
  expect(deleted).toMatchObject({ status: 409, body: { code: 'connection_in_use', usedBy: uses } });
  const renamed = await service.owner('PATCH', `${path}/${id}`, { name: 'other' });
  expect(renamed).toMatchObject({ status: 409, body: { code: 'connection_in_use', usedBy: uses.slice(0, 2) } });
  expect((await service.owner('GET', `${path}/${id}`)).body.name).toBe('used');

  await service.owner('DELETE', `/guardrails/${guardrail.body.id}`);
  await service.owner('DELETE', `/evaluators/${evaluator.body.id}`);
  await service.owner('DELETE', `/simulations/scenarios/${scenario.body.id}`);
  expect((await service.owner('DELETE', `${path}/${id}`)).status).toBe(204);
});

test('another URL or model of a connection is drift of the guardrail that files manage, until it is back or files are applied', async () => {
  const id = await connect('judges');
  const own = { type: 'llm_judge', stage: 'input', action: 'block' };
  const files = [
    policyFile(
      'g.yaml',
      policy('Guardrail', 'by-connection', { ...own, config: judge('judges') }),
      policy('Guardrail', 'own-model', { ...own, config: judge('judges', { model: 'm-9' }) }),
    ),
  ];
  await applied(service, files);
  expect(await driftOf()).toEqual([]);
  const change = async (body: object) => expect((await service.owner('PATCH', `${path}/${id}`, body)).status).toBe(200);

  await change({ model: 'm-2' });
  expect(await driftOf()).toEqual([{ kind: 'Guardrail', name: 'by-connection', reason: 'differs' }]);
  await change({ baseUrl: 'https://8.8.8.8/v2', apiKey: 'sk-other' });
  await change({ model: 'm-1' });
  expect((await driftOf()).map(({ name }: { name: string }) => name)).toEqual(['by-connection', 'own-model']);
  await change({ baseUrl: 'https://8.8.8.8/v1', apiKey: null });
  expect(await driftOf()).toEqual([]);

  await change({ baseUrl: 'https://8.8.8.8/v3' });
  expect(await driftOf()).toHaveLength(2);
  await applied(service, files);
  expect(await driftOf()).toEqual([]);
});
