import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/contract/audit.ts';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';

let app: EvaluationApp;
let before = 0;
beforeAll(async () => {
  app = await startEvaluationApp(Date.UTC(2026, 10, 20, 10));
});
afterAll(() => app.close());
beforeEach(async () => {
  before = (await entries())[0]?.seq ?? 0;
});

/** Newest first. */
async function entries(): Promise<AuditEntry[]> {
  const { status, body } = await app.get(`/v1/organizations/${app.organizationId}/audit-log?limit=200`);
  expect(status).toBe(200);
  return (body as { entries: AuditEntry[] }).entries;
}

/** What was written since the test began, oldest first. */
async function written() {
  const since = (await entries()).filter(({ seq }) => seq > before).toReversed();
  return since.map(({ kind, actor, projectId, subject, detail }) => ({ kind, actor: actor.type, projectId, subject, detail }));
}

const contains = (slug: string) => ({ slug, type: 'contains', config: { value: 'answer' }, target: 'span' });

test('evaluators are recorded when they are created, changed and deleted', async () => {
  const byKey = { 'x-api-key': app.apiKey };
  const { body: made } = await app.call('POST', '/evaluators', contains('has-answer'), byKey);
  await app.call('PATCH', '/evaluators/has-answer', { enabled: false, config: { value: 'secret-ish' }, slug: 'renamed' });
  await app.call('PATCH', '/evaluators/renamed', { enabled: false });
  expect((await app.call('DELETE', '/evaluators/renamed')).status).toBe(204);
  const entry = { projectId: app.projectId, subject: made.id };
  const detail = { type: 'contains', target: 'span' };
  expect(await written()).toEqual([
    { ...entry, kind: 'evaluator.created', actor: 'api_key', detail: { ...detail, slug: 'has-answer', enabled: true } },
    {
      ...entry,
      kind: 'evaluator.updated',
      actor: 'user',
      detail: { ...detail, slug: 'renamed', enabled: false, changed: ['slug', 'config', 'enabled'] },
    },
    { ...entry, kind: 'evaluator.deleted', actor: 'user', detail: { ...detail, slug: 'renamed', enabled: false } },
  ]);
});

test('model connections are recorded when they are created, changed and deleted, without their keys', async () => {
  const path = '/model-connections';
  const connection = { name: 'judge', baseUrl: 'http://127.0.0.1:9/v1', model: 'gpt-4o' };
  const { body: made } = await app.call('POST', path, { ...connection, apiKey: 'sk-first-key' });
  await app.call('PATCH', `${path}/${made.id}`, { model: 'gpt-5', apiKey: 'sk-second-key' });
  await app.call('PATCH', `${path}/${made.id}`, { model: 'gpt-5' });
  await app.call('PATCH', `${path}/${made.id}`, { apiKey: null });
  await app.call('PATCH', `${path}/${made.id}`, { apiKey: null });
  expect((await app.call('DELETE', `${path}/${made.id}`)).status).toBe(204);
  const entry = { actor: 'user', projectId: app.projectId, subject: made.id };
  const after = { ...connection, model: 'gpt-5' };
  expect(await written()).toEqual([
    { ...entry, kind: 'model_connection.created', detail: { ...connection, hasKey: true } },
    {
      ...entry,
      kind: 'model_connection.updated',
      detail: { ...after, hasKey: true, changed: ['model', 'apiKey'] },
    },
    { ...entry, kind: 'model_connection.updated', detail: { ...after, hasKey: false, changed: ['apiKey'] } },
    { ...entry, kind: 'model_connection.deleted', detail: { ...after, hasKey: false } },
  ]);
  expect(JSON.stringify(await entries())).not.toMatch(/sk-(?:first|second)/);
});

test('a refused act leaves no entry', async () => {
  await app.call('POST', '/evaluators', contains('twice'));
  before = (await entries())[0]?.seq ?? 0;
  expect((await app.call('POST', '/evaluators', contains('twice'))).status).toBe(409);
  expect((await app.call('PATCH', '/evaluators/none', { enabled: false })).status).toBe(404);
  expect((await app.call('DELETE', '/evaluators/none')).status).toBe(404);
  const connection = { name: 'same', baseUrl: 'http://127.0.0.1:9/v1', model: 'm' };
  expect((await app.call('POST', '/model-connections', connection)).status).toBe(201);
  expect((await app.call('POST', '/model-connections', connection)).status).toBe(409);
  expect((await written()).map(({ kind }) => kind)).toEqual(['model_connection.created']);
});
