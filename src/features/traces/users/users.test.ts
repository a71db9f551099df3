import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { nowMs, nowNs, openTracesService } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';

let service: TracesService;
beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const secondNs = 1_000_000_000n;
const dayNs = 86_400n * secondNs;

const call = {
  kind: 'llm' as const,
  model: 'm',
  inputTokens: 10,
  outputTokens: 5,
  costUsd: 0.25,
  costStatus: 'provided' as const,
};

async function threeTraces(): Promise<TestProject> {
  const project = service.project();
  const ofAda = { userId: 'ada', sessionId: 's', agentName: 'support' };
  const check = {
    results: [
      { guardrail: 'pii', triggered: true },
      { guardrail: 'secrets', triggered: false },
    ],
  };
  await service.store(project, {
    spans: [
      { traceId: 't1', ...ofAda, startNs: nowNs - dayNs, ...call },
      // The root, which names the user, comes after its child.
      { traceId: 't2', spanId: 'child', parentSpanId: 'a', startNs: nowNs + secondNs, ...call, status: 'error', errorCode: 'x' },
      { traceId: 't2', spanId: 'check', parentSpanId: 'a', startNs: nowNs, kind: 'guardrail', output: JSON.stringify(check) },
      { traceId: 't3', userId: 'grace', ...call, costUsd: null, costStatus: 'unpriced' },
      { traceId: 't4', ...call },
    ],
  });
  await service.store(project, {
    spans: [{ traceId: 't2', ...ofAda, kind: 'agent' }],
    scores: [
      { scoreId: 'one', traceId: 't1', score: 1 },
      { scoreId: 'two', traceId: 't2', spanId: 'child', score: 3, scaleMin: 1, scaleMax: 5 },
      { scoreId: 'slow', traceId: 't2', score: 900, isQuality: false },
      { scoreId: 'label', traceId: 't2', score: Number.NaN, label: 'kind' },
      { scoreId: 'other', traceId: 't3', score: 0 },
    ],
    outcomes: [
      { outcomeId: 'a', traceId: 't1', success: true },
      { outcomeId: 'b', traceId: 't2', success: false },
      { outcomeId: 'c', traceId: 't2' },
      { outcomeId: 'd', traceId: 't4', success: true },
    ],
  });
  return project;
}

const ada = {
  userId: 'ada',
  firstSeen: '2026-11-19T10:00:00.000Z',
  lastSeen: '2026-11-20T10:00:00.000Z',
  traces: 2,
  calls: 2,
  errors: 1,
  unpricedCalls: 0,
  partlyPricedCalls: 0,
  costUsd: 0.5,
  sessions: 1,
  inputTokens: 20,
  outputTokens: 10,
  avgScore: 0.75,
  evalCount: 2,
  outcomes: 3,
  successRate: 0.5,
  costPerSuccess: 0.5,
};

async function idsOf(project: TestProject, query: string): Promise<string[]> {
  const { status, body } = await service.request(project, `/users?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.users.map((user: { userId: string }) => user.userId);
}

describe('GET /v1/projects/:id/users', () => {
  test('sums up the traces of each user, their scores and outcomes', async () => {
    const project = await threeTraces();
    const { body } = await service.request(project, '/users');
    expect(body).toEqual({
      users: [
        ada,
        expect.objectContaining({ userId: 'grace', unpricedCalls: 1, avgScore: 0, successRate: null, costPerSuccess: null }),
      ],
      nextCursor: null,
    });
  });

  test('a filter selects the traces that count', async () => {
    const project = await threeTraces();
    const { body } = await service.request(project, '/users?filter=status:error');
    expect(body.users).toMatchObject([{ userId: 'ada', traces: 1, outcomes: 2, evalCount: 1, avgScore: 0.5 }]);
    expect(await idsOf(project, 'filter=user:grace')).toEqual(['grace']);
    expect(await idsOf(project, 'q=AD')).toEqual(['ada']);
    expect(await idsOf(project, 'q=%25')).toEqual([]);
    expect(await idsOf(project, 'from=2026-11-20T10:00:00.001Z')).toEqual([]);
  });

  test('is sorted by cost, last activity, traces or errors, descending, ties by user', async () => {
    const project = service.project();
    const span = (userId: string, index: number, more: object) => ({ traceId: `${userId}${index}`, userId, ...call, ...more });
    await service.store(project, {
      spans: [
        span('b', 0, { costUsd: 0.1 }),
        span('b', 1, { costUsd: 0.2 }),
        span('a', 0, { costUsd: 0.3, startNs: nowNs - secondNs }),
        span('é', 0, { costUsd: 9, startNs: nowNs - 2n * secondNs, status: 'error', errorCode: 'x' }),
        span('z', 0, { costUsd: 0, startNs: nowNs - secondNs }),
      ],
    });
    // 0.1 + 0.2 is 0.3.
    expect(await idsOf(project, '')).toEqual(['é', 'a', 'b', 'z']);
    expect(await idsOf(project, 'sort=-lastSeen')).toEqual(['b', 'a', 'z', 'é']);
    expect(await idsOf(project, 'sort=-traces')).toEqual(['b', 'a', 'z', 'é']);
    expect(await idsOf(project, 'sort=-errors')).toEqual(['é', 'a', 'b', 'z']);
  });

  test('pages hold every user once, also those whose ids are long and begin alike', async () => {
    const project = service.project();
    const ids = Array.from({ length: 7 }, (_, index) => `${'\u0001é'.repeat(60)}${'x'.repeat(2000)}${index}`);
    await service.store(project, { spans: ids.map((userId, index) => ({ traceId: `t${index}`, userId, ...call })) });
    const found: string[] = [];
    for (let query = 'limit=2'; ;) {
      const { status, body } = await service.request(project, `/users?${query}`);
      expect(status).toBe(200);
      found.push(...body.users.map((user: { userId: string }) => user.userId));
      if (body.nextCursor === null) break;
      query = `limit=2&cursor=${body.nextCursor}`;
    }
    expect(found).toHaveLength(7);
    expect(found.toSorted()).toEqual(ids.toSorted());
  });

  test('leaves out simulations, and traces that only prepare a run', async () => {
    const project = service.project();
    const simulated = { environment: 'simulation', agentName: 'simulation', tags: ['simulation'] };
    await service.store(project, {
      spans: [
        { traceId: 't1', userId: 'robot', ...simulated },
        { traceId: 't2', userId: 'setup', source: 'otlp', operation: 'tools/list' },
      ],
    });
    expect(await idsOf(project, '')).toEqual([]);
    expect(await idsOf(project, 'filter=source:simulation')).toEqual(['robot']);
  });

  test('401, 403, 404 and 400', async () => {
    const [project, other] = [await threeTraces(), service.project()];
    expect((await service.request(project, '/users?limit=0', { by: 'nobody' })).status).toBe(401);
    expect((await service.request(project, '/users?limit=0', { by: 'owner', caller: other })).status).toBe(403);
    expect((await service.request(project, '/users?limit=0', { caller: other })).status).toBe(404);
    const { body: page } = await service.request(project, '/users?limit=1');
    const [list, value] = JSON.parse(Buffer.from(page.nextCursor, 'base64url').toString()) as string[];
    const forged = ['x', '7', '-1 a', '18446744073709551616 a'].map(
      (id) => `cursor=${Buffer.from(JSON.stringify([list, value, id])).toString('base64url')}`,
    );
    const bad = ['limit=0', 'range=1w', 'cursor=x', 'range=7d&from=2026-11-20T10:00:00Z', 'sort=cost', 'sort=userId', 'nope=1'];
    for (const query of [...bad, ...forged, `cursor=${page.nextCursor}`, `limit=1&q=a&cursor=${page.nextCursor}`]) {
      const { status, body } = await service.request(project, `/users?${query}`);
      if (query === `cursor=${page.nextCursor}`) expect(status, query).toBe(200);
      else expect([status, body.code], query).toEqual([400, 'invalid_request']);
    }
    expect((await service.request(project, '/users?filter=nope:1')).body).toMatchObject({ code: 'invalid_filter' });
    expect(await idsOf(other, '')).toEqual([]);
  });
});

describe('GET /v1/projects/:id/users/:userId', () => {
  test('returns the figures by day, model and agent, and the guardrails that triggered', async () => {
    const project = await threeTraces();
    const { status, body } = await service.request(project, '/users/ada');
    expect(status).toBe(200);
    const day = { traces: 1, calls: 1, unpricedCalls: 0, partlyPricedCalls: 0, costUsd: 0.25 };
    const called = { calls: 2, unpricedCalls: 0, partlyPricedCalls: 0, costUsd: 0.5 };
    expect(body).toEqual({
      user: ada,
      timeline: [
        { day: '2026-11-19', errors: 0, ...day },
        { day: '2026-11-20', errors: 1, ...day },
      ],
      byModel: [{ model: 'm', ...called }],
      byAgent: [{ agent: 'support', ...called }],
      guardrails: [{ slug: 'pii', triggered: 1 }],
    });
  });

  test('takes an id of any characters', async () => {
    const project = service.project();
    const ids = ['a/b', '../..', '%2F', 'it\'s \\ "q" ?#&', 'é😀\u0001\n'];
    await service.store(project, { spans: ids.map((userId, index) => ({ traceId: `t${index}`, userId })) });
    for (const id of ids) {
      const { status, body } = await service.request(project, `/users/${encodeURIComponent(id)}`);
      expect([status, body.user?.userId]).toEqual([200, id]);
    }
  });

  test('401, 403, 404 and 400', async () => {
    const [project, other] = [await threeTraces(), service.project()];
    expect((await service.request(project, '/users/ada', { by: 'nobody' })).status).toBe(401);
    expect((await service.request(project, '/users/ada', { by: 'owner', caller: other })).status).toBe(403);
    expect((await service.request(project, '/users/ada', { caller: other })).status).toBe(404);
    expect((await service.request(other, '/users/ada')).body).toMatchObject({ code: 'not_found' });
    // Without a trace in the range.
    expect((await service.request(project, `/users/ada?to=${new Date(nowMs - 3 * 86_400_000).toISOString()}`)).status).toBe(404);
    expect((await service.request(project, '/users/Ada?range=1w')).status).toBe(404);
    expect((await service.request(project, '/users/ada?range=1w')).body).toMatchObject({ code: 'invalid_request' });
  });
});
