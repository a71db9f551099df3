import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome, OutcomeSummary } from '../../src/contract/outcomes.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { dayMs } from '../../src/contract/durations.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
const at = (ms: number) => new Date(ms).toISOString();

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(startMs);
});
afterAll(() => app.close());

async function report(...outcomes: object[]): Promise<unknown> {
  const headers = { 'x-api-key': app.apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${app.url}/v1/ingest/outcomes`, { method: 'POST', headers, body: JSON.stringify({ outcomes }) });
  await app.pipeline.drain();
  return answer.json();
}

async function trace(traceId: string): Promise<{ status: number; outcomes: Outcome[] }> {
  const { status, body } = await app.get(`/v1/projects/${app.projectId}/traces/${traceId}`);
  return { status, outcomes: (body as { outcomes: Outcome[] }).outcomes };
}

async function summary(query = ''): Promise<OutcomeSummary> {
  return (await app.get(`/v1/projects/${app.projectId}/outcomes/summary${query}`)).body as OutcomeSummary;
}

async function remove(traceId: string): Promise<number> {
  const url = `${app.url}/v1/projects/${app.projectId}/traces/${traceId}`;
  return (await fetch(url, { method: 'DELETE', headers: { cookie: app.cookie } })).status;
}

const span = { type: 'span', name: 'chat', kind: 'llm', model: 'm', agentName: 'a', costUsd: 0.5, startTime: at(startMs) };

test('a trace lists its outcomes in time order, and its deletion deletes them', async () => {
  const full = {
    kind: 'order.placed',
    value: -49.9,
    currency: 'EUR',
    success: false,
    occurredAt: '2026-11-20T12:00:00.000Z',
    idempotencyKey: 'order é',
    metadata: { lines: [1, 'two'] },
  };
  expect(await report({ traceId: 't1', kind: 'later' }, { traceId: 't1', ...full })).toEqual({ accepted: 2, rejected: [] });
  expect((await trace('t1')).status).toBe(404);
  await app.send([{ ...span, traceId: 't1', spanId: 's1' }]);
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  const nothing = { value: null, success: null, idempotencyKey: null, metadata: null };
  expect((await trace('t1')).outcomes).toEqual([
    { outcomeId: id, traceId: 't1', ...full },
    { outcomeId: id, traceId: 't1', kind: 'later', currency: 'USD', occurredAt: at(startMs), ...nothing },
  ]);
  const { body } = await app.get(`/v1/projects/${app.projectId}/traces/t1?payloads=preview`);
  expect((body as { outcomes: unknown[] }).outcomes).toHaveLength(2);

  expect(await remove('t1')).toBe(204);
  expect(await summary()).toEqual({ totals: [], timeline: [], byAgent: [], byModel: [] });
  expect(await app.get(`/v1/projects/${app.projectId}/outcomes/kinds`)).toEqual({ status: 200, body: { kinds: [] } });
  await report({ traceId: 't1', kind: 'after' });
  expect((await summary()).totals).toMatchObject([{ kind: 'after', count: 1, cost: 0 }]);
  // Only outcomes of the trace are stored.
  expect(await remove('t1')).toBe(204);
  expect((await summary()).totals).toEqual([]);
  expect(await remove('t1')).toBe(404);
});

test('outcomes count neither against the quota nor as events', async () => {
  const health = () => app.get(`/v1/projects/${app.projectId}/ingest-health`);
  const before = await health();
  await report({ traceId: 'none', kind: 'free' }, { traceId: 'none', kind: '' });
  expect(await health()).toEqual(before);
  await remove('none');
});

test('late and corrected spans change the costs, models and agents of outcomes that came before them', async () => {
  await report({ traceId: 't2', kind: 'k', success: true });
  expect(await summary('?kind=k')).toMatchObject({ totals: [{ cost: 0, costPerSuccess: 0 }], byAgent: [], byModel: [] });
  await app.send([{ ...span, traceId: 't2', spanId: 's1' }]);
  await app.send([{ ...span, traceId: 't2', spanId: 's2', model: 'n', agentName: 'b', costUsd: 1 }]);
  expect(await summary('?kind=k')).toMatchObject({
    totals: [{ cost: 1.5, costPerSuccess: 1.5 }],
    byAgent: [
      { agent: 'a', cost: 1.5 },
      { agent: 'b', cost: 1.5 },
    ],
    byModel: [{ model: 'm' }, { model: 'n' }],
  });
  await app.send([{ ...span, traceId: 't2', spanId: 's2', costUsd: 0.25 }]);
  const corrected = await summary('?kind=k');
  expect(corrected.totals).toMatchObject([{ cost: 0.75 }]);
  expect(corrected.byModel.map(({ model }) => model)).toEqual(['m']);
  await remove('t2');
});

test('an outcome is hidden once it is older than the retention, with and without its trace', async () => {
  await app.stores.postgres.db
    .updateTable('organizations' as never)
    .set({ plan: 'free' } as never)
    .execute();
  await app.send([
    { ...span, traceId: 't3', spanId: 's1', startTime: at(startMs - 10 * dayMs) },
    { ...span, traceId: 't3', spanId: 's2', startTime: at(startMs), costUsd: 1 },
  ]);
  await report(
    { traceId: 't3', kind: 'old', occurredAt: at(startMs - 10 * dayMs) },
    { traceId: 't3', kind: 'new', occurredAt: at(startMs) },
  );
  expect((await trace('t3')).outcomes.map(({ kind }) => kind)).toEqual(['old', 'new']);
  expect((await summary()).totals).toMatchObject([
    { kind: 'new', cost: 1.5 },
    { kind: 'old', cost: 1.5 },
  ]);
  app.clock.advance(4 * dayMs + 1);
  expect((await trace('t3')).outcomes.map(({ kind }) => kind)).toEqual(['new']);
  // What is left of the trace.
  expect((await summary()).totals).toMatchObject([{ kind: 'new', cost: 1 }]);
});
