import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeRecord } from '../../contract/changes.ts';
import { blastRadius, graph } from '../../contract/graph.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { call } from '../models/events.fixture.ts';
import { cookieOf, nowMs } from '../models/models-service.fixture.ts';
import type { SpanRecord } from '../records/index.ts';
import { openGraphService } from './graph-service.fixture.ts';
import type { GraphService } from './graph-service.fixture.ts';

let service: GraphService;
const change = { id: '0197a000-0000-7000-8000-00000000cccc', kind: 'deploy' } as ChangeRecord;
const asked: unknown[] = [];

beforeAll(async () => {
  service = await openGraphService({
    changesBetween: (...parameters) => {
      asked.push(parameters);
      return Promise.resolve([
        {
          ...change,
          projectId: change.id,
          service: null,
          version: null,
          commitSha: null,
          environment: null,
          actor: null,
          url: null,
          at: '2026-11-20T10:00:00.000Z',
          description: null,
          idempotencyKey: null,
          metadata: {},
          source: 'api',
          createdAt: '2026-11-20T10:00:00.000Z',
        },
      ]);
    },
    // One outcome for each trace that the SELECT returns.
    outcomesOfTraces: async (reader, tracesSql, parameters) => {
      const rows = await reader.query<{ traces: number }>(`SELECT count() AS traces FROM (${tracesSql})`, parameters);
      return rows[0]?.traces ?? 0;
    },
  });
}, 60_000);
afterAll(() => service.close());

const step = (overrides: Parameters<typeof call>[0]): SpanRecord => call({ model: '', ...overrides });
const boss = step({ spanId: 'boss', kind: 'agent', agentName: 'boss', service: 'api', sessionId: 's1', userId: 'u1' });
const writer = step({ spanId: 'writer', parentSpanId: 'boss', kind: 'agent', name: 'writer' });
const chain = step({ spanId: 'chain', parentSpanId: 'writer', kind: 'chain', name: 'a chain' });
const outer = call({ spanId: 'outer', parentSpanId: 'chain', model: 'gpt-4o', inputTokens: 5, costUsd: 9 });
const inner = call({
  spanId: 'inner',
  parentSpanId: 'outer',
  model: 'gpt-4o',
  inputTokens: 5,
  costUsd: 0.5,
  provider: 'openai',
  promptName: 'greet',
  durationMs: 400,
});
const tool = step({ spanId: 'tool', parentSpanId: 'writer', kind: 'tool', name: 'execute', toolName: 'search', status: 'error' });
const again = step({ spanId: 'again', parentSpanId: 'tool', kind: 'tool', name: 'search' });
const unnamed = step({ spanId: 'unnamed', parentSpanId: 'again', kind: 'retriever', name: '' });
const docs = step({ spanId: 'docs', parentSpanId: 'unnamed', kind: 'retriever', name: 'docs' });
// No call, and so no cost of a node; the trace has its cost.
const withoutModel = step({ spanId: 'without-model', parentSpanId: 'boss', costUsd: 0.25 });
const trace = [boss, writer, chain, outer, inner, tool, again, unnamed, docs, withoutModel];

async function request(project: Tenant, path: string, headers: Record<string, string> = { cookie: cookieOf(project) }) {
  return service.request(`/v1/projects/${project.projectId}/${path}`, headers);
}

test('every rule of nodes and edges', async () => {
  const project = service.project();
  await service.store(project, { spans: trace, scores: [] });
  const { status, body } = await request(project, 'graph');
  expect(status).toBe(200);
  const { nodes, edges, truncated } = graph.parse(body);
  expect(nodes.map(({ id, calls, errors, cost }) => [id, calls, errors, cost])).toEqual([
    ['tool:search', 2, 1, 0],
    ['agent:boss', 1, 0, 0],
    ['agent:writer', 1, 0, 0.5],
    ['model:gpt-4o', 1, 0, 0.5],
    ['prompt:greet', 1, 0, 0.5],
    ['provider:openai', 1, 0, 0.5],
    ['retriever:docs', 1, 0, 0],
    ['service:api', 1, 1, 0.5],
  ]);
  expect(nodes[0]).toMatchObject({ type: 'tool', name: 'search', errorRate: 0.5, p95Latency: 1000 });
  expect(edges.map(({ source, target, calls, errors }) => [source, target, calls, errors])).toEqual([
    ['agent:boss', 'agent:writer', 1, 0],
    ['agent:writer', 'model:gpt-4o', 1, 0],
    ['agent:writer', 'prompt:greet', 1, 0],
    ['agent:writer', 'tool:search', 1, 1],
    ['model:gpt-4o', 'provider:openai', 1, 0],
    ['service:api', 'agent:boss', 1, 0],
    ['tool:search', 'retriever:docs', 1, 0],
  ]);
  expect(truncated).toBe(false);
});

test('a blast radius with the traces, changes and outcomes of the range', async () => {
  const project = service.project();
  const other = step({ traceId: 't2', spanId: 'b', kind: 'agent', agentName: 'boss', service: 'cron', sessionId: 's2' });
  const writerAlone = step({ traceId: 't3', spanId: 'w', kind: 'agent', name: 'writer' });
  await service.store(project, { spans: [...trace, other, writerAlone], scores: [] });
  const { status, body } = await request(project, 'blast-radius?node=tool%3Asearch&range=7d');
  expect(status).toBe(200);
  const { node, affected, totals, changes } = blastRadius.parse(body);
  expect(node).toMatchObject({ id: 'tool:search', type: 'tool', name: 'search', calls: 2, errors: 1 });
  expect(affected).toEqual([
    { id: 'agent:writer', type: 'agent', name: 'writer', distance: 1, calls: 2, share: 0.5 },
    { id: 'agent:boss', type: 'agent', name: 'boss', distance: 2, calls: 2, share: 0.5 },
    { id: 'service:api', type: 'service', name: 'api', distance: 3, calls: 1, share: 1 },
    { id: 'service:cron', type: 'service', name: 'cron', distance: 3, calls: 1, share: 0 },
  ]);
  expect(totals).toEqual({
    agents: 2,
    traces: 1,
    sessions: 1,
    users: 1,
    cost: 0.75,
    unpricedCalls: 1,
    partlyPricedCalls: 0,
    outcomes: 1,
  });
  expect(changes).toMatchObject([change]);
  const today = Date.UTC(2026, 10, 20);
  expect(asked.at(-1)).toEqual([project.projectId, today - 6 * 86_400_000, today + 86_400_000 - 1, 20]);
});

test('agents that call each other in a circle are each affected by the other', async () => {
  const project = service.project();
  const agent = (agentName: string, spanId: string, parentSpanId: string) =>
    step({ spanId, parentSpanId, kind: 'agent', agentName });
  await service.store(project, { spans: [agent('a', '1', ''), agent('b', '2', '1'), agent('a', '3', '2')], scores: [] });
  const affected = await Promise.all(['agent:a', 'agent:b'].map((node) => service.blastRadius(project, node)));
  expect(affected.map((radius) => radius?.affected.map(({ id, distance }) => [id, distance]))).toEqual([
    [['agent:b', 1]],
    [['agent:a', 1]],
  ]);
});

test('a parent that arrives later, a span that changes and a deleted trace correct the graph, sealed or not', async () => {
  const project = service.project();
  const ids = async () => (await service.graph(project)).edges.map(({ source, target }) => `${source} ${target}`);
  await service.store(project, { spans: [docs], scores: [] });
  await service.sealAll();
  expect(await ids()).toEqual([]);
  await service.store(project, { spans: [unnamed, again], scores: [] });
  expect(await ids()).toEqual(['tool:search retriever:docs']);
  await service.sealAll();
  expect(await ids()).toEqual(['tool:search retriever:docs']);
  await service.store(project, { spans: [{ ...again, kind: 'agent', startNs: again.startNs - 7_200_000_000_000n }], scores: [] });
  expect(await ids()).toEqual(['agent:search retriever:docs']);
  await service.sealAll();
  expect((await service.graph(project)).nodes.map(({ id }) => id)).toEqual(['agent:search', 'retriever:docs']);
  await service.deleteTrace(project, 't1');
  expect(await service.graph(project)).toEqual({ nodes: [], edges: [], truncated: false });
  await service.sealAll();
  expect(await service.graph(project)).toEqual({ nodes: [], edges: [], truncated: false });
});

describe('at most 500 nodes', () => {
  let project: Tenant;
  const named = (number: number) => `tool ${String(number).padStart(3, '0')}`;

  beforeAll(async () => {
    project = service.project();
    const tools = Array.from({ length: 500 }, (_, number) =>
      step({ spanId: `t${number}`, parentSpanId: 'boss', kind: 'tool', name: named(number) }),
    );
    // The agent has the most calls.
    await service.store(project, {
      spans: [boss, step({ spanId: 'boss2', kind: 'agent', agentName: 'boss' }), ...tools],
      scores: [],
    });
  });

  test('those with the most calls, then by id; edges between them alone', async () => {
    const { nodes, edges, truncated } = await service.graph(project);
    expect([nodes.length, truncated]).toEqual([500, true]);
    expect(nodes.map(({ id }) => id).slice(0, 3)).toEqual(['agent:boss', 'service:api', `tool:${named(0)}`]);
    const ids = new Set(nodes.map(({ id }) => id));
    expect(edges).toHaveLength(499);
    expect(edges.every(({ source, target }) => ids.has(source) && ids.has(target))).toBe(true);
  });

  test('a cut node still has a blast radius', async () => {
    const radius = await service.blastRadius(project, `tool:${named(499)}`);
    expect(radius?.node.calls).toBe(1);
    expect(radius?.affected.map(({ id }) => id)).toEqual(['agent:boss', 'service:api']);
  });
});

test('one environment: spans with it, and spans without one of its traces', async () => {
  const project = service.project();
  const [inProduction, inStaging] = ['production', 'staging'].map((environment, number) =>
    trace.map((span) => ({ ...span, traceId: `t${number}`, environment: span === boss ? environment : '' })),
  );
  await service.store(project, { spans: [...(inProduction ?? []), ...(inStaging ?? [])], scores: [] });
  const whole = await service.graph(project);
  const part = await service.graph(project, { environment: ['staging'] });
  expect(whole.nodes.map(({ calls }) => calls)).toEqual(part.nodes.map(({ calls }) => calls * 2));
  expect(part.edges.length).toBe(whole.edges.length);
  expect((await service.blastRadius(project, 'model:gpt-4o', { environment: ['staging'] }))?.totals.traces).toBe(1);
  expect(await service.graph(project, { environment: ['none'] })).toMatchObject({ nodes: [] });
  expect(await service.blastRadius(project, 'model:gpt-4o', { environment: ['none'] })).toBeNull();
});

describe('statuses', () => {
  test('200 and nothing for a project without spans', async () => {
    const { status, body } = await request(service.project(), 'graph?environment=production&range=90d');
    expect([status, body]).toEqual([200, { nodes: [], edges: [], truncated: false }]);
  });

  test.each(['graph', 'blast-radius'])('400 for a range that cannot be read, at %s', async (path) => {
    const project = service.project();
    await service.store(project, { spans: [boss], scores: [] });
    for (const query of ['range=1d', 'range=7d&from=2026-11-20T08:00:00.000Z', 'from=yesterday', 'environment=a%00b']) {
      const { status, body } = await request(project, `${path}?node=agent%3Aboss&${query}`);
      expect([query, status, body]).toEqual([query, 400, expect.objectContaining({ code: 'invalid_request' })]);
    }
  });

  test('an unknown node is 404, before a range that cannot be read is 400', async () => {
    const project = service.project();
    await service.store(project, { spans: [{ ...boss, startNs: BigInt(nowMs - 40 * 86_400_000) * 1_000_000n }], scores: [] });
    const statusOf = async (query: string) => (await request(project, `blast-radius?${query}`)).status;
    for (const invalid of ['range=1d', 'range=7d&from=2026-11-20T08:00:00.000Z', 'from=yesterday', 'environment=a%00b'])
      expect([await statusOf(`node=tool:x&${invalid}`), await statusOf(`node=agent:boss&${invalid}`)]).toEqual([404, 400]);
    expect(await statusOf('node=&range=1d')).toBe(400);
  });

  test.each(['', 'node=', 'node=%00', `node=${'x'.repeat(9000)}`])('400 for a node that is none: %#', async (query) => {
    const { status, body } = await request(service.project(), `blast-radius?${query}`);
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
  });

  test.each(['tool:none', 'tool', ':', 'agent:boss'])('404 for the node %s, which the range does not have', async (node) => {
    const project = service.project();
    await service.store(project, { spans: [{ ...boss, startNs: BigInt(nowMs - 8 * 86_400_000) * 1_000_000n }], scores: [] });
    const { status, body } = await request(project, `blast-radius?range=7d&node=${encodeURIComponent(node)}`);
    expect([status, body]).toEqual([404, { error: expect.any(String), code: 'not_found' }]);
  });

  test.each(['graph', 'blast-radius?node=a'])('403 without a session of a member, at %s', async (path) => {
    const [project, other] = [service.project(), service.project()];
    const nowhere = { ...project, projectId: '0197a000-0000-7000-8000-999999999999' };
    for (const [of, headers] of [
      [project, {}],
      [project, { 'x-api-key': `spw_${project.projectId}` }],
      [project, { cookie: cookieOf(other) }],
      [nowhere, { cookie: cookieOf(project) }],
    ] as const) {
      const { status, body } = await request(of, path, headers as Record<string, string>);
      expect([status, body]).toEqual([403, { error: expect.any(String), code: 'forbidden' }]);
    }
  });
});

test("one project's graph has nothing of another", async () => {
  const [one, other] = [service.project(), service.project()];
  await service.store(one, { spans: trace, scores: [] });
  expect(await service.graph(other)).toEqual({ nodes: [], edges: [], truncated: false });
  expect(await service.blastRadius(other, 'tool:search')).toBeNull();
});

test('sessions are exact up to 50,000, users beyond within 1 %, traces always', async () => {
  const project = service.project();
  await service.store(project, { spans: [step({ spanId: 'a', kind: 'agent', agentName: 'boss' })], scores: [] });
  const traces = 64_000;
  await service.clickhouse.command(
    `INSERT INTO traces (project_id, start_time, oldest_time, newest_time, trace_id, version, session_id, user_id, cost, nodes, node_environments)
     SELECT {project:UUID}, fromUnixTimestamp64Milli({at:Int64}) AS at, at, at, concat('many-', toString(number)), 1, concat('s', toString(number % 40000)),
       concat('u', toString(number % 63000)), 0.25, ['agent:boss', 'tool:x'], ['', '']
     FROM numbers(${traces})`,
    { project: project.projectId, at: nowMs - 3_600_000 },
  );
  const totals = (await service.blastRadius(project, 'agent:boss'))?.totals;
  expect(totals).toMatchObject({ traces: traces + 1, sessions: 40_000, cost: traces / 4 });
  expect(Math.abs((totals?.users ?? 0) / 63_000 - 1)).toBeLessThan(0.01);
});
