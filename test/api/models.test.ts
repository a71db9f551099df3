import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../support/runs.ts';
import { createProject } from '../../src/features/identity/index.ts';
import { systemActor } from '../../src/contract/actor.ts';
import { readEvents } from '../../src/features/ingest/index.ts';
import { sealHours } from '../../src/features/models/index.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { modelDetail } from './model-oracle.ts';
import type { OracleScore, OracleSpan } from './model-oracle.ts';

const startMs = Date.UTC(2026, 10, 21, 13, 17, 5);
const hourMs = 3_600_000;
const dayMs = 86_400_000;

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

async function seal(): Promise<void> {
  const later = { now: () => startMs + hourMs };
  while ((await sealHours({ clickhouse: app.stores.clickhouse, hourStates: app.hourStates.at(later), clock: later })) > 0);
}

async function detail(projectId: string, model: string, range: string): Promise<unknown> {
  const { status, body } = await app.get(`/v1/projects/${projectId}/models/${encodeURIComponent(model)}?range=${range}`);
  expect(status).toBe(200);
  return body;
}

/** Compares field by field: figures to 12 digits, percentiles to 0.4 % (docs/semantics.md, "Percentiles"). */
function agree(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const tolerance = /\.p(50|95|99)_latency$/.test(path) ? 0.004 : 1e-12;
    expect(Math.abs(actual - expected), `${path}: ${actual} for ${expected}`).toBeLessThanOrEqual(
      Math.abs(expected) * tolerance + 1e-12,
    );
    return;
  }
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    expect(Object.keys(actual).toSorted(), path).toEqual(Object.keys(expected).toSorted());
    for (const key of Object.keys(expected)) {
      agree((actual as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key], `${path}.${key}`);
    }
    return;
  }
  expect(actual, path).toEqual(expected);
}

// Times near now, midnights, the edges of the ranges and a retention edge of 14 days.
const midnight = Date.UTC(2026, 10, 21);
const edges = [0, 6, 7, 13, 14, 29, 30].map((days) => midnight - days * dayMs);
const moment = fc.oneof(
  fc.integer({ min: startMs - 31 * dayMs, max: startMs + 20 * hourMs }),
  fc
    .tuple(fc.constantFrom(...edges, startMs - 14 * dayMs, startMs), fc.integer({ min: -1, max: 1 }))
    .map(([edge, ms]) => edge + ms),
);
const text = (ms: number) => new Date(ms).toISOString();
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const models = ['gpt-x', 'openai/gpt-x', 'a.b/c d', 'é'];
const spanIds = ['a', 'b', 'c', 'd', 'e'];
const traceIds = ['t1', 't2', 't3'];

const anySpan: fc.Arbitrary<OracleSpan> = fc
  .record({
    traceId: fc.constantFrom(...traceIds),
    spanId: fc.constantFrom(...spanIds),
    parentSpanId: maybe(fc.constantFrom(...spanIds)),
    kind: fc.constantFrom('llm', 'llm', 'llm', 'embedding', 'agent', 'tool'),
    start: moment,
    duration: maybe(fc.integer({ min: 0, max: 100_000 })),
    model: maybe(fc.constantFrom(...models)),
    provider: maybe(fc.constantFrom('openai', 'azure')),
    agentName: maybe(fc.constantFrom('planner', 'writer')),
    operation: maybe(fc.constantFrom('chat', 'embeddings')),
    usage: maybe(
      fc.record({
        inputTokens: fc.nat(5000),
        outputTokens: fc.nat(500),
        cachedTokens: fc.nat(100),
        reasoningTokens: fc.nat(50),
      }),
    ),
    costUsd: maybe(fc.integer({ min: 0, max: 1000 }).map((cents) => cents / 1000)),
    timeToFirstTokenMs: maybe(fc.nat(2000)),
    status: maybe(fc.constantFrom('ok' as const, 'error' as const)),
    errorCode: maybe(fc.constantFrom('429', 'timeout')),
  })
  // Parents have a smaller id: no cycles.
  .map(({ start, duration, parentSpanId, ...rest }) => {
    const parent = parentSpanId !== undefined && parentSpanId < rest.spanId ? { parentSpanId } : {};
    const end = duration === undefined ? {} : { endTime: text(start + duration) };
    return { type: 'span' as const, name: 'call', startTime: text(start), ...end, ...parent, ...defined(rest) } as OracleSpan;
  });

const anyScore: fc.Arbitrary<OracleScore> = fc
  .record({
    scoreId: fc.constantFrom('s1', 's2', 's3', 's4'),
    traceId: fc.constantFrom(...traceIds),
    spanId: maybe(fc.constantFrom(...spanIds)),
    evaluator: fc.constantFrom('helpful', 'tone'),
    score: fc.integer({ min: -10, max: 10 }).map((value) => value / 4),
    passed: maybe(fc.boolean()),
    model: maybe(fc.constantFrom(...models)),
    at: moment,
  })
  .map(({ at, ...rest }) => ({ type: 'score' as const, timestamp: text(at), ...defined(rest) }) as OracleScore);

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const batches = fc.array(
  fc.array(fc.oneof({ weight: 5, arbitrary: anySpan }, { weight: 1, arbitrary: anyScore }), { maxLength: 12 }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

describe('the model detail agrees with the oracle', () => {
  for (const plan of ['scale', 'free'] as const) {
    test(`on random corpora, sealed or not, plan ${plan}`, { timeout: 240_000 }, async () => {
      await app.identity.db.updateTable('organizations').set({ plan }).execute();
      const oldestMs = startMs - (plan === 'free' ? 14 : 365) * dayMs;
      await fc.assert(
        fc.asyncProperty(batches, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), async (sent, sealAfter) => {
          const projectId = await emptyProject();
          const events: Array<OracleSpan | OracleScore> = [];
          for (const [index, batch] of sent.entries()) {
            events.push(...batch);
            await send(projectId, batch);
            if (sealAfter[index]) await seal();
          }
          for (const model of models) {
            for (const [range, days] of [
              ['7d', 7],
              ['30d', 30],
            ] as const) {
              agree(await detail(projectId, model, range), modelDetail(events, model, { days, nowMs: startMs, oldestMs }));
            }
          }
        }),
        { numRuns: runs({ embedded: 4, servers: 12 }), endOnFailure: true },
      );
    });
  }

  test('sealing does not change any figure', async () => {
    const projectId = await emptyProject();
    const events = fc.sample(fc.array(anySpan, { minLength: 60, maxLength: 60 }), 1)[0] ?? [];
    await send(projectId, events);
    const before = await Promise.all(models.map((model) => detail(projectId, model, '30d')));
    await seal();
    expect(await Promise.all(models.map((model) => detail(projectId, model, '30d')))).toEqual(before);
  });
});

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
