import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '../support/add-member.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
const time = new Date(startMs).toISOString();
let app: TestApp;
let memberCookie: string;

beforeAll(async () => {
  app = await startTestApp(startMs);
  const person = { email: 'member@example.com', password: 'a password of a test', name: 'Member', role: 'member' };
  memberCookie = (await addMember(app.url, { cookie: app.cookie }, app.organizationId, person)).cookie;
});
afterAll(() => app.close());

interface Asked {
  status: number;
  // Tests compare the fields that they expect.
  body: ReturnType<typeof JSON.parse>;
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { cookie: app.cookie },
): Promise<Asked> {
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

const inProject = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  ask(method, `/v1/projects/${app.projectId}${path}`, body, headers);
const byKey = (method: string, path: string, body?: unknown) => ask(method, path, body, { 'x-api-key': app.apiKey });

const trace = (traceId: string, userId: string, more: object = {}) => [
  {
    type: 'span',
    traceId,
    spanId: 'root',
    name: 'answer',
    startTime: time,
    endTime: time,
    userId,
    input: `asked by ${userId}`,
    output: 'x',
    ...more,
  },
  {
    type: 'span',
    traceId,
    spanId: 'call',
    parentSpanId: 'root',
    kind: 'llm',
    model: 'm',
    name: 'call',
    startTime: time,
    costUsd: 1,
  },
  { type: 'score', traceId, spanId: 'call', scoreId: `score-${traceId}`, evaluator: 'quality', score: 0.5 },
];

const statusOf = async (traceId: string) => (await inProject('GET', `/traces/${traceId}`)).status;

/** Deletes a user and returns the record of the finished job. */
async function deleteUser(userId: string) {
  const { status, body } = await inProject('DELETE', `/users/${encodeURIComponent(userId)}`);
  expect([status, body.error]).toEqual([202, undefined]);
  await app.features.jobs.runPending();
  return (await inProject('GET', `/jobs/${body.job.id}`)).body;
}

const entriesOf = async (kind: string) =>
  (await ask('GET', `/v1/organizations/${app.organizationId}/audit-log?kind=${kind}`)).body.entries;

/** An independent RFC 8785 form of an object of texts and whole numbers. */
const jcs = (value: Record<string, unknown>) =>
  `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(value[name])}`)
    .join(',')}}`;

test('deletes every trace of a user and what was made from them, with a receipt', async () => {
  const simulated = { environment: 'simulation', agentName: 'simulation', tags: ['simulation'] };
  await app.send([
    ...trace('t1', 'ada', { sessionId: 'own' }),
    ...trace('t2', 'ada', { ...simulated, sessionId: 'shared' }),
    ...trace('kept', 'grace', { sessionId: 'shared' }),
    { type: 'score', sessionId: 'own', scoreId: 'of-own', evaluator: 'mood', score: 1, comment: 'ada was angry' },
    { type: 'score', sessionId: 'shared', scoreId: 'of-shared', evaluator: 'mood', score: 1 },
  ]);
  for (const traceId of ['t1', 't1', 'kept'])
    await byKey('POST', '/v1/ingest/outcomes', { traceId, kind: 'order', success: true });
  await app.pipeline.drain();
  const { body: dataset } = await byKey('POST', '/v1/datasets', { name: 'Questions' });
  const of = `/v1/datasets/${dataset.id}`;
  const { body: added } = await byKey('POST', `${of}/items`, {
    items: [{ source: { traceId: 't1' } }, { source: { traceId: 'kept' } }, { input: 'made up' }],
  });
  const { body: run } = await byKey('POST', `${of}/runs`, { name: 'first' });
  await byKey('POST', `${of}/runs/${run.id}/items`, {
    items: [
      { datasetItemId: added.items[0].id, output: 'of a deleted item' },
      { datasetItemId: added.items[1].id, output: 'kept' },
      { datasetItemId: added.items[2].id, traceId: 't2' },
    ],
  });
  const { body: exported } = await inProject('POST', '/selections', {
    on: 'traces',
    filter: '',
    action: { type: 'export', format: 'jsonl', payloads: true },
  });
  await app.features.jobs.runPending();
  const download = `/jobs/${exported.job.id}/download`;
  const file = await fetch(`${app.url}/v1/projects/${app.projectId}${download}`, { headers: { cookie: app.cookie } });
  expect(await file.text()).toContain('asked by ada');

  const job = await deleteUser('ada');
  expect(job).toMatchObject({
    type: 'deleteUserData',
    status: 'completed',
    matched: 2,
    done: 2,
    failed: 0,
    createdBy: 'owner@example.com',
  });
  const { receipt } = job.result;
  const { sha256, ...rest } = receipt;
  expect(rest).toEqual({
    userIdSha256: createHash('sha256').update('ada').digest('hex'),
    traces: 2,
    spans: 4,
    scores: 2,
    outcomes: 2,
    until: new Date(startMs + 3_600_000).toISOString(),
  });
  expect(sha256).toBe(createHash('sha256').update(jcs(rest)).digest('hex'));
  expect(await Promise.all(['t1', 't2', 'kept'].map(statusOf))).toEqual([404, 404, 200]);
  expect((await inProject('GET', '/users')).body.users).toMatchObject([{ userId: 'grace', traces: 1, outcomes: 1 }]);
  const { body: items } = await byKey('GET', `${of}/items`);
  expect(items.items.map(({ id }: { id: string }) => id)).toEqual([added.items[1].id, added.items[2].id]);
  expect((await byKey('GET', of)).body).toMatchObject({ itemCount: 2 });
  const { body: result } = await byKey('GET', `${of}/runs/${run.id}`);
  expect(result.items.map((item: { output: unknown }) => item.output)).toEqual(['kept']);
  expect((await inProject('GET', download)).status).toBe(404);
  await app.pipeline.drain();
  const { body: scores } = await inProject('GET', '/scores?evaluator=mood');
  expect(scores.scores.map(({ scoreId }: { scoreId: string }) => scoreId)).toEqual(['of-shared']);
  expect(await entriesOf('user_data.deleted')).toMatchObject([
    { subject: rest.userIdSha256, actor: { name: 'owner@example.com' }, detail: { jobId: job.id, ...receipt } },
  ]);
  const pages = await entriesOf('traces.deleted');
  expect(pages).toMatchObject([{ subject: job.id, detail: { traces: 2, spans: 4 } }]);
  expect(pages[0].detail.traceIds.toSorted()).toEqual(['t1', 't2']);
  // The user is named nowhere any more.
  const { rows } = await app.stores.postgres.db
    .selectFrom('jobs')
    .select('input')
    .where('id', '=', job.id)
    .execute()
    .then((found) => ({ rows: found }));
  expect(JSON.stringify([rows, job, pages])).not.toContain('"ada"');
});

test('what a backup may hold counts until it has expired', async () => {
  await app.send(trace('t3', 'of a backup'));
  const { db } = app.stores.postgres;
  const run = { id: '0197e000-0000-7000-8000-000000000009', finished_at: new Date(startMs), stores: 'embedded' };
  await db
    .insertInto('backup_runs' as never)
    .values(run as never)
    .execute();
  const { result } = await deleteUser('of a backup');
  expect(result.receipt.until).toBe(new Date(startMs + 365 * 86_400_000).toISOString());
});

test('a trace that is deleted meanwhile is failed, and in no receipt', async () => {
  await app.send([...trace('t4', 'a/b'), ...trace('t5', 'a/b')]);
  const { body } = await inProject('DELETE', `/users/${encodeURIComponent('a/b')}`);
  expect((await inProject('DELETE', '/traces/t4')).status).toBe(204);
  await app.features.jobs.runPending();
  const { body: job } = await inProject('GET', `/jobs/${body.job.id}`);
  expect(job).toMatchObject({
    status: 'completed',
    matched: 2,
    done: 1,
    failed: 1,
    errors: [{ id: 't4' }],
    result: { receipt: { traces: 1 } },
  });
});

test('a user who is sent again afterwards is there', async () => {
  await app.send(trace('t6', 'comes back'));
  await deleteUser('comes back');
  app.clock.advance(1_000);
  await app.send(trace('t6', 'comes back'));
  expect((await inProject('GET', '/users/comes%20back')).body.user).toMatchObject({ traces: 1 });
});

test('401, 403, 404 and 400', async () => {
  await app.send(trace('t7', 'stays'));
  const path = `/v1/projects/${app.projectId}/users/stays`;
  expect((await ask('DELETE', path, undefined, {})).status).toBe(403);
  expect((await ask('DELETE', path, undefined, { 'x-api-key': app.apiKey })).body).toMatchObject({ code: 'forbidden' });
  expect((await ask('DELETE', path, undefined, { cookie: memberCookie })).status).toBe(403);
  expect((await inProject('DELETE', '/users/nobody?nope=1')).body).toMatchObject({ code: 'not_found' });
  expect((await inProject('DELETE', '/users/stays?nope=1')).body).toMatchObject({ code: 'invalid_request' });
  expect(await statusOf('t7')).toBe(200);
});
