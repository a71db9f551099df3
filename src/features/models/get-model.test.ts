import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelDetail, modelList } from '../../contract/models.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { call, score } from './events.fixture.ts';
import { cookieOf, nowMs, openModelsService } from './models-service.fixture.ts';
import type { ModelsService } from './models-service.fixture.ts';

let service: ModelsService;

beforeAll(async () => {
  service = await openModelsService();
}, 60_000);
afterAll(() => service.close());

const pathOf = (project: Tenant, rest = '/gpt-4o') => `/v1/projects/${project.projectId}/models${rest}`;

describe('statuses', () => {
  test('200 with every field of the schema', async () => {
    const project = service.project();
    await service.store(project, { spans: [call({})], scores: [score({ spanId: 'a' })] });
    const { status, body } = await service.request(pathOf(project), { cookie: cookieOf(project) });
    expect(status).toBe(200);
    expect(modelDetail.strict().parse(body)).toEqual(body);
    expect(body).toMatchObject({
      model: 'gpt-4o',
      found: true,
      summary: { total_calls: 1, first_seen: '2026-11-20T09:30:15.250Z' },
    });
  });

  test('200 and `found: false` for a model without calls', async () => {
    const project = service.project();
    const { status, body } = await service.request(pathOf(project, '/none'), { cookie: cookieOf(project) });
    expect(status).toBe(200);
    expect(body).toEqual({
      model: 'none',
      found: false,
      summary: null,
      timeline: [],
      errorBreakdown: [],
      usage: { agents: [], operations: [] },
      quality: { hasData: false, overall: null, byEvaluator: [], trend: [] },
      frontier: { thisModel: null, points: [] },
    });
  });

  test('200 and an empty list for a project without calls', async () => {
    const project = service.project();
    const { status, body } = await service.request(pathOf(project, ''), { cookie: cookieOf(project) });
    expect([status, modelList.parse(body)]).toEqual([200, { models: [], unnamed: { calls: 0, errors: 0 } }]);
  });

  test.each(['', '/gpt-4o'])('400 for an unknown range, at models%s', async (rest) => {
    const project = service.project();
    for (const range of ['1d', '24h', '', '30D', 'all']) {
      const { status, body } = await service.request(`${pathOf(project, rest)}?range=${range}`, { cookie: cookieOf(project) });
      expect([status, body]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
    }
  });

  test.each(['/models', '/models/gpt-4o', '/overview'])('400 for an invalid from and to, at %s', async (path) => {
    const project = service.project();
    const [early, late] = ['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z'];
    for (const query of [
      `range=90d&from=${early}`,
      `range=7d&to=${late}`,
      `from=${late}&to=${early}`,
      `from=${early}&to=${early}`,
      'from=yesterday',
      ...(path === '/models' ? [] : ['range=90d&interval=hour', `interval=minute`, 'interval=hour&from=2026-10-01T00:00:00Z']),
    ]) {
      const url = `/v1/projects/${project.projectId}${path}?${query}`;
      const { status, body } = await service.request(url, { cookie: cookieOf(project) });
      expect([query, status, body]).toEqual([query, 400, expect.objectContaining({ code: 'invalid_request' })]);
    }
  });

  test.each(['', '/gpt-4o'])('403 without a session of a member, at models%s', async (rest) => {
    const project = service.project();
    const other = service.project();
    const nowhere = { ...project, projectId: '0197a000-0000-7000-8000-999999999999' };
    for (const [asked, headers] of [
      [project, {}],
      [project, { 'x-api-key': `spw_${project.projectId}` }],
      [project, { cookie: cookieOf(other) }],
      [nowhere, { cookie: cookieOf(project) }],
      [{ ...project, projectId: 'no-uuid' }, { cookie: cookieOf(project) }],
    ] as const) {
      // An invalid range as well: 403 takes precedence over 400.
      const { status, body } = await service.request(`${pathOf(asked, rest)}?range=1d`, headers as Record<string, string>);
      expect([status, body]).toEqual([403, { error: expect.any(String), code: 'forbidden' }]);
    }
  });
});

test.each(['org/model.v1', 'a b', 'ä～😀', '100%', '%2F', '..a', 'a?b#c', '&=+;', 'm'.repeat(1024), '語'.repeat(300)])(
  'a model id is taken exactly as recorded: %s',
  async (model) => {
    const project = service.project();
    await service.store(project, { spans: [call({ model })], scores: [] });
    expect(await service.detail(project, model)).toMatchObject({ model, found: true });
  },
);

test('an overlong model id gets 200, 400, 404 or 414', async () => {
  const project = service.project();
  const { status } = await service.request(pathOf(project, `/${'m'.repeat(5000)}`), { cookie: cookieOf(project) });
  expect([200, 400, 404, 414]).toContain(status);
});

test('hourly rows name the start of their hour; from and to cut the first and the last hour', async () => {
  const project = service.project();
  const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
  const spans = ['07:59:59.999', '08:00:00.000', '08:30:00.000', '09:15:00.000', '09:15:00.001'].map((time, index) =>
    call({ spanId: `s${index}`, startMs: at(time), durationMs: 100 * (index + 1) }),
  );
  await service.store(project, { spans, scores: [score({ spanId: 's2', score: 0.5, timestampMs: at('08:10:00.000') })] });
  for (const seal of [false, true]) {
    if (seal) await service.sealAll();
    const day = await service.detail(project, 'gpt-4o', { range: '7d', interval: 'hour' });
    expect(day.timeline.map((row) => [row.day, row.calls])).toEqual([
      ['2026-11-20T07:00:00.000Z', 1],
      ['2026-11-20T08:00:00.000Z', 2],
      ['2026-11-20T09:00:00.000Z', 2],
    ]);
    expect(day.quality.trend).toEqual([{ day: '2026-11-20T08:00:00.000Z', eval_count: 1, avg_score: 0.5 }]);
    const cut = await service.overview(project, {
      from: '2026-11-20T08:00:00.001Z',
      to: '2026-11-20T09:15:00.000Z',
      interval: 'hour',
    });
    expect(cut.totals).toMatchObject({ calls: 2, eval_count: 1 });
    expect(cut.totals.timeline.map((row) => [row.day, row.calls])).toEqual([
      ['2026-11-20T08:00:00.000Z', 1],
      ['2026-11-20T09:00:00.000Z', 1],
    ]);
  }
});

test.each(['/models/gpt-4o', '/overview'])(
  'hourly rows are given for 31 days, not for a millisecond more, at %s',
  async (path) => {
    const project = service.project();
    const read = (to: string) =>
      service.request(`/v1/projects/${project.projectId}${path}?interval=hour&from=2026-10-01T00:00:00.000Z&to=${to}`, {
        cookie: cookieOf(project),
      });
    expect((await read('2026-11-01T00:00:00.000Z')).status).toBe(200);
    expect(await read('2026-11-01T00:00:00.001Z')).toMatchObject({ status: 400, body: { details: [{ path: '/interval' }] } });
  },
);

test('a quotient of whole numbers is the nearest double, as the caller would compute it', async () => {
  const project = service.project();
  const spans = [1, 2, 3].map((number) => call({ spanId: `s${number}`, status: number === 1 ? 'error' : 'ok', durationMs: 100 }));
  await service.store(project, { spans: [...spans, call({ spanId: 'other', model: 'claude' })], scores: [] });
  expect(await service.detail(project, 'gpt-4o')).toMatchObject({
    summary: { error_rate: 1 / 3, share_of_calls: 3 / 4 },
    timeline: [{ error_rate: 1 / 3 }],
  });
});

test('sealing changes no digit of an answer', async () => {
  const project = service.project();
  const spans = Array.from({ length: 400 }, (_, index) =>
    call({
      traceId: `t${index % 90}`,
      spanId: `s${index}`,
      startMs: nowMs - index * 7_000_000,
      durationMs: (index * 7919) % 30_011,
      model: index % 3 === 0 ? 'gpt-4o' : 'claude',
      costUsd: ((index * 31) % 97) / 10_000,
      timeToFirstTokenMs: index % 7,
      agentName: `agent-${index % 5}`,
      inputTokens: index,
    }),
  );
  const scores = spans.map((span, index) =>
    score({ scoreId: `e${index}`, traceId: span.traceId, spanId: span.spanId, score: (index % 10) / 10 }),
  );
  await service.store(project, { spans, scores });
  const read = () => Promise.all([service.detail(project, 'gpt-4o'), service.list(project)]);
  const dirty = await read();
  await service.sealAll();
  expect(await read()).toEqual(dirty);
});

test('agents are listed up to 100, by calls descending, then by code point, and all are counted', async () => {
  const project = service.project();
  const agents = Array.from({ length: 130 }, (_, index) => `agent-${index}`);
  const spans = [...agents, 'agent-129', '～', '～', '😀', '😀'].map((agentName, index) =>
    call({ spanId: `s${index}`, agentName }),
  );
  await service.store(project, { spans, scores: [] });
  for (const seal of [false, true]) {
    if (seal) await service.sealAll();
    const { usage, summary } = await service.detail(project, 'gpt-4o');
    expect(usage.agents).toHaveLength(100);
    expect(usage.agents.slice(0, 4).map(({ agent_name, calls }) => [agent_name, calls])).toEqual([
      ['agent-129', 2],
      ['～', 2],
      ['😀', 2],
      ['agent-0', 1],
    ]);
    expect(summary?.unique_agents).toBe(132);
    expect((await service.list(project)).models[0]?.unique_agents).toBe(132);
  }
});

test('scores count by evaluator and by day, and as passed or failed only where `passed` is set', async () => {
  const project = service.project();
  const scores = [
    score({ scoreId: 'e1', spanId: 'a', score: 0.5, passed: true }),
    score({ scoreId: 'e2', traceId: 't1', score: 1, passed: null, timestampMs: nowMs - 86_400_000 }),
    score({ scoreId: 'e3', model: 'gpt-4o', traceId: '', sessionId: 's', evaluator: 'concise', score: 0, passed: false }),
    score({ scoreId: 'e4', model: 'other', score: 9 }),
    score({ scoreId: 'e5', traceId: '', sessionId: 's', score: 9 }),
  ];
  // Scores before spans: a score counts once its span is stored.
  await service.store(project, { spans: [], scores });
  await service.sealAll();
  await service.store(project, { spans: [call({})], scores: [] });
  for (const seal of [false, true]) {
    if (seal) await service.sealAll();
    expect((await service.detail(project, 'gpt-4o')).quality).toEqual({
      hasData: true,
      overall: { eval_count: 3, avg_score: 0.5, pass_count: 1, fail_count: 1, pass_rate: 0.5 },
      byEvaluator: [
        { evaluator_slug: 'concise', eval_count: 1, avg_score: 0, pass_count: 0, fail_count: 1 },
        { evaluator_slug: 'helpful', eval_count: 2, avg_score: 0.75, pass_count: 1, fail_count: 0 },
      ],
      trend: [
        { day: '2026-11-19', eval_count: 1, avg_score: 1 },
        { day: '2026-11-20', eval_count: 2, avg_score: 0.25 },
      ],
    });
  }
});

test('percentiles are the values at rank floor(q * (n - 1)) within 1 %', async () => {
  const project = service.project();
  const durations = Array.from({ length: 200 }, (_, index) => 0.001 * 1.1 ** index);
  const spans = durations.map((durationMs, index) =>
    call({ spanId: `s${index}`, durationMs: Math.round(durationMs * 1000) / 1000 }),
  );
  await service.store(project, { spans: [...spans, call({ spanId: 'running', endNs: null })], scores: [] });
  for (const seal of [false, true]) {
    if (seal) await service.sealAll();
    const { summary } = await service.detail(project, 'gpt-4o');
    for (const [found, rank] of [
      [summary?.p50_latency, 99],
      [summary?.p95_latency, 189],
      [summary?.p99_latency, 197],
    ] as const) {
      const wanted = durations[rank] ?? 0;
      expect(Math.abs((found ?? 0) - wanted)).toBeLessThan(wanted * 0.01);
    }
  }
});

test('a deleted trace leaves every figure', async () => {
  const project = service.project();
  await service.store(project, { spans: [call({}), call({ traceId: 't2', costUsd: 1 })], scores: [score({ traceId: 't2' })] });
  await service.sealAll();
  await service.deleteTrace(project, 't2');
  for (const seal of [false, true]) {
    if (seal) await service.sealAll();
    const detail = await service.detail(project, 'gpt-4o');
    expect(detail).toMatchObject({ summary: { total_calls: 1, total_cost: 0, trace_count: 1 }, quality: { hasData: false } });
  }
});

test("one project's figures contain no data of another", async () => {
  const [mine, theirs] = [service.project(), service.project()];
  await service.store(theirs, { spans: [call({ costUsd: 5 })], scores: [] });
  await service.store(mine, { spans: [call({ costUsd: 1 })], scores: [] });
  for (const seal of [false, true]) {
    if (seal) await service.sealAll();
    expect(await service.detail(mine, 'gpt-4o')).toMatchObject({ summary: { total_calls: 1, total_cost: 1, share_of_calls: 1 } });
  }
});
