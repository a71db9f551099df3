import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { openSelections, startMs } from './selection-requests.ts';
import type { Selections } from './selection-requests.ts';

let selections: Selections;
let app: TestApp;
const ask: Selections['ask'] = (...asked) => selections.ask(...asked);
const select: Selections['select'] = (...asked) => selections.select(...asked);
const done: Selections['done'] = (...asked) => selections.done(...asked);
const download: Selections['download'] = (...asked) => selections.download(...asked);
const sendTraces: Selections['sendTraces'] = (...sent) => selections.sendTraces(...sent);
const stored: Selections['stored'] = (ids) => selections.stored(ids);

beforeAll(async () => {
  selections = await openSelections();
  ({ app } = selections);
});
afterAll(() => app.close());

test('deletes traces with what was derived from them, and says which ids named nothing', async () => {
  const [kept] = await sendTraces(1);
  const ids = await sendTraces(3);
  const record = await done({ on: 'traces', ids: [...ids, 'missing', ids[0]], except: [ids[2]], action: { type: 'delete' } });
  expect(record).toMatchObject({
    type: 'delete',
    status: 'completed',
    matched: 3,
    done: 2,
    failed: 1,
    errors: [{ id: 'missing', error: 'There is no such trace.' }],
    createdBy: 'owner@example.com',
    result: null,
  });
  expect(await stored([...ids, kept ?? ''])).toEqual([ids[2], kept]);
  const models = await ask('GET', `/spans?limit=200`);
  expect(models.body.spans.map((span: { traceId: string }) => span.traceId).toSorted()).toEqual(
    [kept, kept, ids[2], ids[2]].toSorted(),
  );
  const { entries } = (await app.get('/v1/organizations/' + app.organizationId + '/audit-log?kind=traces.deleted')).body as {
    entries: Array<{ subject: string; detail: unknown; actor: { name: string } }>;
  };
  expect(entries).toMatchObject([
    {
      subject: record.id,
      actor: { name: 'owner@example.com' },
      detail: { jobId: record.id, traces: 2, spans: 4, traceIds: ids.slice(0, 2) },
    },
  ]);
  const begun = (await app.get('/v1/organizations/' + app.organizationId + '/audit-log?kind=selection.started')).body as {
    entries: unknown[];
  };
  expect(begun.entries[0]).toMatchObject({
    subject: record.id,
    actor: { name: 'owner@example.com' },
    detail: { action: 'delete', on: 'traces', matched: 3 },
  });
});

test('a trace that is sent again after its deletion is there', async () => {
  const [id] = await sendTraces(1);
  await done({ on: 'traces', ids: [id], action: { type: 'delete' } });
  app.clock.advance(1_000);
  await selections.send([id ?? '']);
  expect(await stored([id ?? ''])).toEqual([id]);
});

test('what is no selection is refused, and so is who may not do it', async () => {
  const action = { type: 'delete' };
  const on = 'traces';
  const wrong: Array<[object, string?]> = [
    [{ on, action }],
    [{ on, action, ids: [] }],
    [{ on, action, ids: ['a'], filter: '' }],
    [{ on, action, filter: '', view: 'some' }],
    [{ on, action, ids: [{ traceId: 'a', spanId: 'b' }] }, '/ids/0'],
    [{ on: 'spans', action: { type: 'export', format: 'csv' }, ids: ['a'] }, '/ids/0'],
    [{ on: 'spans', action: { type: 'export', format: 'csv' }, filter: '', except: ['a'] }, '/except/0'],
    [{ on: 'spans', action, filter: '' }, '/on'],
    [{ on, action: { type: 'forget' }, filter: '' }],
    [{ on, action: { type: 'export', format: 'xlsx' }, filter: '' }],
    [{ on, action, filter: '', range: '7d', from: '2026-11-20T00:00:00Z' }],
    [{ on, action, filter: '', other: 1 }],
    [{ on, action, ids: Array.from({ length: 5_001 }, (_, index) => `t${index}`) }, '/ids'],
  ];
  for (const [body, path] of wrong) {
    const answer = await select(body);
    expect([answer.status, answer.body.code], JSON.stringify(body).slice(0, 200)).toEqual([400, 'invalid_request']);
    if (path !== undefined) expect(answer.body.details[0].path).toBe(path);
  }
  const unread = await select({ on, action, filter: 'latency:fast' });
  expect([unread.status, unread.body.code]).toEqual([400, 'invalid_filter']);
  const missing = { type: 'addToDataset', datasetId: '0197a000-0000-7000-8000-00000000ffff' };
  for (const datasetId of [missing.datasetId, 'none'])
    expect((await select({ on, action: { ...missing, datasetId }, ids: ['a'] })).status).toBe(404);
  expect((await select({ on, action: { type: 'export', format: 'csv' }, view: missing.datasetId })).status).toBe(404);
  for (const [by, refused] of [
    ['key', action],
    ['member', action],
    ['viewer', action],
    ['viewer', missing],
  ] as const) {
    // Also where the rest is wrong.
    expect((await select({ on, action: refused }, by)).status, `${by} ${refused.type}`).toBe(403);
  }
  expect((await select({ on, action, ids: ['a'] }, 'nobody')).status).toBe(401);
});

const datasetOf = async (name: string) => {
  const made = await fetch(`${app.url}/v1/datasets`, {
    method: 'POST',
    headers: { 'x-api-key': app.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return ((await made.json()) as { id: string }).id;
};
const itemsOf = async (datasetId: string) => {
  const answer = await fetch(`${app.url}/v1/datasets/${datasetId}/items?limit=200`, { headers: { 'x-api-key': app.apiKey } });
  return ((await answer.json()) as { items: Array<Record<string, unknown>> }).items;
};

test('adds the traces or spans of a filter to a dataset, with their outputs or without', async () => {
  const datasetId = await datasetOf('selected');
  const [first, second] = await sendTraces(2, { input: { question: 1 }, output: 'an answer', userId: 'dataset user' });
  const filter = 'user:"dataset user"';
  const action = { type: 'addToDataset', datasetId };
  const added = await done({ on: 'traces', filter, range: '1d', action }, 'member');
  expect(added).toMatchObject({ status: 'completed', matched: 2, done: 2, failed: 0, result: { datasetId } });
  const source = (traceId: string | undefined) => ({ traceId, spanId: 'root' });
  const item = { input: { question: 1 }, expectedOutput: 'an answer' };
  expect(
    (await itemsOf(datasetId)).map(({ input, expectedOutput, source: from }) => ({ input, expectedOutput, source: from })),
  ).toEqual([second, first].map((traceId) => ({ ...item, source: source(traceId) })));
  const spans = await datasetOf('spans');
  const ids = [
    { traceId: first, spanId: 'call' },
    { traceId: first, spanId: 'none' },
  ];
  const ofSpans = { type: 'addToDataset', datasetId: spans, expectedOutput: 'none' };
  expect(await done({ on: 'spans', ids, action: ofSpans }, 'key')).toMatchObject({
    done: 1,
    failed: 1,
    errors: [{ id: `${first}/none`, error: 'There is no such span.' }],
  });
  const [bare] = await itemsOf(spans);
  expect(bare).toMatchObject({ input: null, source: { traceId: first, spanId: 'call' } });
  expect(bare).not.toHaveProperty('expectedOutput', 'an answer');
  const gone = await select({ on: 'spans', ids, action: ofSpans });
  await fetch(`${app.url}/v1/datasets/${spans}`, { method: 'DELETE', headers: { cookie: app.cookie, 'x-api-key': app.apiKey } });
  await app.features.jobs.runPending();
  const { id } = gone.body.job;
  expect((await ask('GET', `/jobs/${id}`)).body).toMatchObject({
    status: 'failed',
    failed: 2,
    errors: [{ id, error: 'The dataset was deleted.' }],
  });
});

test('the set is fixed when the job is made', async () => {
  const [first] = await sendTraces(1, { userId: 'fixed' });
  const made = await select({ on: 'traces', filter: 'user:fixed', action: { type: 'export', format: 'jsonl' } }, 'viewer');
  await sendTraces(1, { userId: 'fixed' });
  await app.features.jobs.runPending();
  const text = await (await download(made.body.job.id)).text();
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { traceId: string }).traceId),
  ).toEqual([first]);
});

describe('evaluation of stored records', () => {
  const post = (path: string, body: object) => ask('POST', path, body);
  const scoresOf = async (evaluator: string) => {
    const { scores } = (await ask('GET', `/scores?evaluator=${evaluator}&limit=200`)).body as {
      scores: Array<{
        traceId: string;
        spanId: string | null;
        score: number;
        passed: boolean;
        timestamp: string;
        source: string;
      }>;
    };
    return scores;
  };

  test('scores what was stored before the evaluator was, once, at the time of the record', async () => {
    const [first = '', second = ''] = await sendTraces(2, { userId: 'evaluated', output: 'a good answer' });
    const slug = 'says-good';
    expect((await post('/evaluators', { slug, type: 'contains', config: { value: 'good' }, target: 'span' })).status).toBe(201);
    app.clock.advance(3_600_000);
    const filter = 'user:evaluated';
    const action = { type: 'evaluate', evaluators: [slug] };
    const record = await done({ on: 'traces', filter, action }, 'member');
    expect(record).toMatchObject({ type: 'evaluate', status: 'completed', matched: 2, done: 2, failed: 0 });
    await app.pipeline.drain();
    const time = new Date(startMs).toISOString();
    const scores = await scoresOf(slug);
    expect(scores.map(({ traceId }) => traceId).toSorted()).toEqual([first, second].toSorted());
    for (const score of scores) expect(score).toMatchObject({ spanId: null, score: 1, passed: true, timestamp: time });
    // Scored ones are left; spans are records of their own.
    expect(await done({ on: 'traces', filter, action })).toMatchObject({ done: 2, failed: 0 });
    const ofSpans = await done({ on: 'spans', filter: `${filter} trace:${first}`, action });
    expect(ofSpans).toMatchObject({ matched: 2, done: 1, failed: 1 });
    expect(ofSpans.errors[0]).toMatchObject({ id: `${first}/call`, error: expect.stringContaining(slug) });
    await app.pipeline.drain();
    expect(await scoresOf(slug)).toHaveLength(3);
  });

  test('takes the newest of the records, and stops at a limit of costs', async () => {
    await sendTraces(3, { userId: 'limited', output: 'x' });
    const slug = 'is-x';
    await post('/evaluators', { slug, type: 'contains', config: { value: 'x' }, target: 'trace' });
    const action = { type: 'evaluate', evaluators: [slug], maxItems: 2 };
    const record = await done({ on: 'traces', filter: 'user:limited', action });
    expect(record).toMatchObject({ matched: 2, done: 2 });
    const unpaid = await done({ on: 'traces', filter: 'user:limited', action: { ...action, maxItems: 3, maxCostUsd: 0 } });
    expect(unpaid).toMatchObject({ matched: 3, done: 2, failed: 1, errors: [{ error: expect.stringContaining('limit') }] });
    expect(await done({ on: 'traces', ids: ['nothing'], action })).toMatchObject({ matched: 1, failed: 1 });
  });

  test('an evaluator that cannot evaluate a record is refused', async () => {
    const slugs = { off: { enabled: false }, sessions: { target: 'session' } };
    for (const [slug, more] of Object.entries(slugs))
      expect(
        (await post('/evaluators', { slug, type: 'contains', config: { value: 'x' }, target: 'trace', ...more })).status,
      ).toBe(201);
    await post('/evaluators', { slug: 'expects', type: 'exact', target: 'trace' });
    for (const [slug, status] of [
      ['off', 400],
      ['sessions', 400],
      ['expects', 400],
      ['unknown', 404],
    ] as const) {
      const answer = await select({ on: 'traces', ids: ['a'], action: { type: 'evaluate', evaluators: [slug] } });
      expect(answer.status, slug).toBe(status);
    }
    expect((await select({ on: 'traces', ids: ['a'], action: { type: 'evaluate', evaluators: [] } })).status).toBe(400);
    expect((await select({ on: 'traces', ids: ['a'], action: { type: 'evaluate', evaluators: ['off'] } }, 'viewer')).status).toBe(
      403,
    );
  });
});
