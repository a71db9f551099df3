import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../../../test/support/app.ts';
import type { TestApp } from '../../../../test/support/app.ts';
import { until } from '../../../../test/support/until.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import { deletePayloads } from './delete-payloads.ts';
import { DeletionStore } from './deletion-store.ts';

// Ahead of PostgreSQL's clock, which gives the summaries of several replicas their versions: a deletion comes after what it deletes.
const startMs = Date.UTC(2036, 10, 26, 10);
let app: TestApp;
let deletions: DeletionStore;
const unrecorded = () => Promise.resolve();
const clock = new ManualClock(startMs);

beforeAll(async () => {
  app = await startTestApp(startMs);
  deletions = new DeletionStore(app.stores.postgres.db, clock);
});
afterAll(() => app.close());

const span = (traceId: string, spanId = 'a') => ({
  type: 'span',
  traceId,
  spanId,
  name: 'turn',
  kind: 'llm',
  input: `a question of ${traceId}`,
  startTime: new Date(startMs - 60_000).toISOString(),
  endTime: new Date(startMs - 59_000).toISOString(),
});
const score = (traceId: string) => ({ type: 'score', traceId, evaluator: 'helpful', score: 1, scoreId: `of-${traceId}` });

async function remove(traceId: string): Promise<number> {
  const headers = { cookie: app.cookie };
  return (await fetch(`${app.url}/v1/projects/${app.projectId}/traces/${traceId}`, { method: 'DELETE', headers })).status;
}

async function run(signal = new AbortController().signal): Promise<void> {
  await deletePayloads({ clickhouse: app.stores.clickhouse, deletions }, signal);
  const pending = 'SELECT 1 FROM system.mutations WHERE database = currentDatabase() AND is_done = 0';
  await until('the mutations have ended', async () => (await app.stores.clickhouse.systemQuery(pending)).length === 0);
}

const tables = ['spans', 'span_texts', 'span_headers', 'scores', 'outcomes', 'trace_tags', 'traces'];

/** Rows of traces on disk that are no tombstones, by table. */
async function onDisk(): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of tables) {
    const found = await app.stores.clickhouse.systemQuery<{ id: string }>(
      `SELECT DISTINCT trace_id AS id FROM ${table} WHERE is_deleted = 0 AND trace_id LIKE 'p%' ORDER BY id`,
    );
    rows[table] = found.map(({ id }) => id);
  }
  return rows;
}

const mutations = async () =>
  (await app.stores.clickhouse.systemQuery('SELECT 1 FROM system.mutations WHERE database = currentDatabase()')).length;

test('payloads of many deleted traces are deleted by one mutation of each table; those sent again stay', async () => {
  const traces = Array.from({ length: 6 }, (_, index) => `p${index}`);
  expect(await app.send(traces.flatMap((id) => [span(id), score(id)]))).toEqual({ accepted: 12, rejected: [] });
  const outcome = { kind: 'order', traceId: 'p0', idempotencyKey: 'o', occurredAt: new Date(startMs - 1_000).toISOString() };
  const sent = await fetch(`${app.url}/v1/ingest/outcomes`, {
    method: 'POST',
    headers: { 'x-api-key': app.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ outcomes: [outcome] }),
  });
  expect(sent.status).toBe(202);
  await app.pipeline.drain();
  const { organizationId, projectId } = app;
  await app.pipeline.changeTags({ organizationId, projectId }, ['p0', 'p5'], { add: ['kept'], remove: [] });
  const before = await mutations();
  for (const id of traces.slice(0, 5)) expect(await remove(id)).toBe(204);
  expect(await remove('p0')).toBe(404);
  expect(await mutations()).toBe(before);
  expect((await deletions.hidden(10)).map(({ traceId }) => traceId).toSorted()).toEqual(traces.slice(0, 5));
  await app.send([span('p1', 'again')]);
  await run();
  expect(await mutations()).toBe(before + tables.length);
  expect(await onDisk()).toEqual({
    spans: ['p1', 'p5'],
    span_texts: ['p1', 'p5'],
    span_headers: ['p1', 'p5'],
    scores: ['p5'],
    outcomes: [],
    trace_tags: ['p5'],
    traces: ['p1', 'p5'],
  });
  expect(await deletions.hidden(10)).toEqual([]);
  const read = await app.get(`/v1/projects/${app.projectId}/traces/p1`);
  expect(read).toMatchObject({ status: 200, body: { trace: { spanCount: 1 } } });
  // Nothing is left to do.
  await run();
  expect(await mutations()).toBe(before + tables.length);
});

test('a job that is stopped begins again with the same traces', async () => {
  await app.send([span('p7'), score('p7')]);
  expect(await remove('p7')).toBe(204);
  await run(AbortSignal.abort());
  expect(await deletions.hidden(10)).toMatchObject([{ projectId: app.projectId, traceId: 'p7' }]);
  await run();
  expect((await onDisk())['spans']).not.toContain('p7');
});

test('a trace that is deleted again while its payloads are deleted is not forgotten', async () => {
  const [projectId, traceId] = [randomUUID(), 'x'];
  await deletions.begin(projectId, [traceId], 5, unrecorded);
  expect(await deletions.begun()).toMatchObject([{ projectId, traceId, version: 5, begunMs: startMs }]);
  expect(await deletions.hidden(10)).toEqual([]);
  await deletions.hide(projectId, [traceId]);
  const taken = await deletions.hidden(10);
  expect(taken).toEqual([{ projectId, traceId, version: 5 }]);
  expect(await deletions.begun()).toEqual([]);
  await deletions.begin(projectId, [traceId], 9, unrecorded);
  await deletions.end(taken);
  expect(await deletions.begun()).toMatchObject([{ version: 9 }]);
  await deletions.hide(projectId, [traceId]);
  await deletions.end(taken);
  expect(await deletions.hidden(10)).toEqual([{ projectId, traceId, version: 9 }]);
  await deletions.end(await deletions.hidden(10));
  expect(await deletions.hidden(10)).toEqual([]);
});

test('the oldest come first, as many as are asked for', async () => {
  const projectId = randomUUID();
  for (const traceId of ['b', 'a', 'c']) {
    await deletions.begin(projectId, [traceId], 1, unrecorded);
    await deletions.hide(projectId, [traceId]);
    clock.advance(1);
  }
  expect((await deletions.hidden(2)).map(({ traceId }) => traceId)).toEqual(['b', 'a']);
  await deletions.end(await deletions.hidden(10));
});
