import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../src/features/identity/index.ts';
import { systemActor } from '../../src/contract/actor.ts';
import { readEvents } from '../../src/features/ingest/index.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { dayMs } from '../../src/contract/durations.ts';

const startMs = Date.UTC(2026, 10, 21, 13, 17, 5);

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp(startMs);
});
afterAll(() => app.close());

/** Creates a project in the first organization, whose plan the tests change. */
async function emptyProject(): Promise<string> {
  return (await createProject(app.identity, { organizationId: app.organizationId, actor: systemActor }, { name: 'Random' })).id;
}

async function send(projectId: string, events: readonly object[]): Promise<void> {
  if (events.length === 0) return;
  const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  const { batch, rejected, accepted } = readEvents(body, { nowMs: startMs, oldestMs: startMs - 365 * dayMs, bodyKey: 'test' });
  expect(rejected).toEqual([]);
  await app.pipeline.accept({ projectId, organizationId: app.organizationId }, batch, accepted);
  await app.pipeline.drain();
}

const text = (ms: number) => new Date(ms).toISOString();
describe('GET /v1/projects/{id}/models/{model}', () => {
  test('200 with found false when the model has no call', async () => {
    const { status, body } = await app.get(`/v1/projects/${app.projectId}/models/never%2Fcalled`);
    expect(status).toBe(200);
    expect(body).toEqual({
      model: 'never/called',
      found: false,
      summary: null,
      timeline: [],
      errorBreakdown: [],
      usage: { agents: [], operations: [] },
      quality: { hasData: false, overall: null, byEvaluator: [], trend: [] },
      frontier: { thisModel: null, points: [] },
    });
  });

  test.each(['1d', '', 'all', '30D'])('400 for the range %j', async (range) => {
    const { status, body } = await app.get(`/v1/projects/${app.projectId}/models/m?range=${range}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', details: [{ path: '/range' }] });
  });

  test('403 without a session, with an API key, and for a project that does not exist or is not an id', async () => {
    const url = `${app.url}/v1/projects/${app.projectId}/models/m`;
    const statuses = await Promise.all([
      fetch(url),
      fetch(url, { headers: { 'x-api-key': app.apiKey } }),
      fetch(`${url}?range=nonsense`),
      fetch(`${app.url}/v1/projects/0197a000-0000-7000-8000-000000000000/models/m`, { headers: { cookie: app.cookie } }),
      fetch(`${app.url}/v1/projects/nonsense/models/m`, { headers: { cookie: app.cookie } }),
    ]);
    expect(statuses.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403]);
    for (const answer of statuses) expect(await answer.json()).toMatchObject({ code: 'forbidden' });
  });
});

test('the list has every model with its quality, by cost descending', async () => {
  const projectId = await emptyProject();
  const call = { type: 'span', name: 'call', kind: 'llm', startTime: text(startMs), endTime: text(startMs + 800) };
  await send(projectId, [
    { ...call, traceId: 't1', spanId: 'a', model: 'cheap', costUsd: 0.1 },
    { ...call, traceId: 't1', spanId: 'b', model: 'dear', costUsd: 0.2 },
    { ...call, traceId: 't2', spanId: 'a', model: 'dear', costUsd: 0.1 },
    { type: 'score', traceId: 't2', evaluator: 'helpful', score: 0.5, timestamp: text(startMs) },
  ]);
  const { status, body } = await app.get(`/v1/projects/${projectId}/models`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    models: [
      { model: 'dear', total_calls: 2, total_cost: 0.3, p50_latency: 800, trace_count: 2, avg_eval_score: 0.5, eval_count: 1 },
      { model: 'cheap', total_calls: 1, total_cost: 0.1, trace_count: 1, avg_eval_score: null, eval_count: 0 },
    ],
  });
});
