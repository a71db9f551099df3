import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overview } from '../../contract/models.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { call, score } from './events.fixture.ts';
import { expectClose } from './expect-close.fixture.ts';
import { cookieOf, nowMs, openModelsService } from './models-service.fixture.ts';
import type { ModelsService } from './models-service.fixture.ts';
import { Oracle } from './models.oracle.ts';
import { dayMs } from '../../contract/durations.ts';

// models.test.ts compares every figure with the oracle, on generated data.

let service: ModelsService;

beforeAll(async () => {
  service = await openModelsService();
}, 60_000);
afterAll(() => service.close());

const pathOf = (project: Tenant) => `/v1/projects/${project.projectId}/overview`;

describe('statuses', () => {
  test('200 with every field of the schema, over 30 days by default', async () => {
    const project = service.project();
    await service.store(project, {
      spans: [call({ agentName: 'planner' }), call({ spanId: 'b', startMs: nowMs - 40 * dayMs })],
      scores: [score({ spanId: 'a' })],
    });
    const { status, body } = await service.request(pathOf(project), { cookie: cookieOf(project) });
    expect(status).toBe(200);
    expect(overview.strict().parse(body)).toEqual(body);
    expect(body).toMatchObject({ totals: { calls: 1, agents: 1, eval_count: 1 } });
    expect(await service.overview(project, { range: '90d' })).toMatchObject({ totals: { calls: 2 } });
  });

  test('200 and empty figures for a project without calls', async () => {
    const project = service.project();
    const { status, body } = await service.request(pathOf(project), { cookie: cookieOf(project) });
    expect(status).toBe(200);
    expect(body).toEqual({
      totals: {
        calls: 0,
        unpriced_calls: 0,
        partly_priced_calls: 0,
        cost: 0,
        errors: 0,
        error_rate: 0,
        avg_latency: 0,
        p50_latency: 0,
        p95_latency: 0,
        eval_count: 0,
        avg_eval_score: null,
        input_tokens: 0,
        output_tokens: 0,
        cached_tokens: 0,
        models: 0,
        agents: 0,
        timeline: [],
      },
      models: [],
      other_models: null,
      agents: [],
      other_agents: null,
      unpriced: [],
      unnamed: { calls: 0, errors: 0 },
    });
  });

  test('400 for an unknown range', async () => {
    const project = service.project();
    for (const range of ['1w', '', '30D', 'all']) {
      const { status, body } = await service.request(`${pathOf(project)}?range=${range}`, { cookie: cookieOf(project) });
      expect([status, body]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
    }
  });

  test('403 without a session of a member', async () => {
    const [project, other] = [service.project(), service.project()];
    const nowhere = { ...project, projectId: '0197a000-0000-7000-8000-999999999999' };
    const refused: Array<[Tenant, Record<string, string>]> = [
      [project, {}],
      [project, { 'x-api-key': `spw_${project.projectId}` }],
      [project, { cookie: cookieOf(other) }],
      [nowhere, { cookie: cookieOf(project) }],
      [{ ...project, projectId: 'no-uuid' }, { cookie: cookieOf(project) }],
    ];
    for (const [asked, headers] of refused) {
      // An invalid range as well: 403 takes precedence over 400.
      const { status, body } = await service.request(`${pathOf(asked)}?range=1w`, headers);
      expect([status, body]).toEqual([403, { error: expect.any(String), code: 'forbidden' }]);
    }
  });
});

/** More models and agents than an overview lists, over several days and the current hour. */
function manyCalls() {
  const spans = Array.from({ length: 600 }, (_, index) =>
    call({
      traceId: `t${index % 90}`,
      spanId: `s${index}`,
      startMs: nowMs - index * 3_000_000,
      durationMs: (index * 7919) % 30_011,
      model: `model-${index % 27}`,
      agentName: index % 4 === 0 ? '' : `agent-${index % 23}`,
      // The last models are unpriced, and some pairs of models have equal costs.
      ...(index % 27 > 21 ? {} : { costUsd: ((index % 27) >> 1) / 10, costStatus: 'provided' as const }),
      ...(index % 11 === 0 ? { status: 'error' as const, errorCode: 'timeout' } : {}),
      inputTokens: index,
    }),
  );
  const scores = spans.map((span, index) =>
    score({ scoreId: `e${index}`, traceId: span.traceId, spanId: span.spanId, score: (index % 10) / 10 }),
  );
  return { spans, scores };
}

test('models and agents beyond 20 form one group; its unpriced models are named too; sealing changes no digit', async () => {
  const project = service.project();
  const sent = manyCalls();
  await service.store(project, sent);
  const dirty = await service.overview(project);
  const wanted = new Oracle(sent, { nowMs: service.clock.now(), plan: 'scale' }).overview();
  expectClose(dirty, wanted);
  expect([dirty.models.length, dirty.other_models?.count, dirty.agents.length, dirty.other_agents?.count]).toEqual([
    20, 7, 20, 3,
  ]);
  expect(dirty.unpriced.map(({ model }) => model).toSorted()).toEqual(
    ['22', '23', '24', '25', '26'].map((number) => `model-${number}`),
  );
  expect(dirty.models.some(({ unpriced_calls }) => unpriced_calls > 0)).toBe(false);
  await service.sealAll();
  expect(await service.overview(project)).toEqual(dirty);
});

test('the days and agents of a project exclude other projects, and records older than the retention edge', async () => {
  const [mine, theirs] = [service.project('free'), service.project()];
  await service.store(theirs, { spans: [call({ costUsd: 5, agentName: 'theirs' })], scores: [score({ spanId: 'a' })] });
  await service.store(mine, {
    spans: [call({ costUsd: 1, agentName: 'mine' }), call({ spanId: 'old', startMs: nowMs - 14 * dayMs - 1, agentName: 'old' })],
    scores: [],
  });
  for (const seal of [false, true]) {
    if (seal) await service.sealAll();
    expect(await service.overview(mine, { range: '90d' })).toMatchObject({
      totals: { calls: 1, cost: 1, models: 1, agents: 1, eval_count: 0 },
      models: [{ timeline: [{ day: '2026-11-20', calls: 1 }], trend: [] }],
      agents: [{ agent_name: 'mine' }],
    });
  }
});
