import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nowMs, nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const secondNs = 1_000_000_000n;
const dayNs = 86_400n * secondNs;

async function idsOf(project: TestProject, query: string): Promise<string[]> {
  const { status, body } = await service.request(project, `/sessions?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.sessions.map((session: { sessionId: string }) => session.sessionId);
}

async function threeTraces(): Promise<TestProject> {
  const project = service.project();
  const call = { kind: 'llm' as const, model: 'm', inputTokens: 10, outputTokens: 5, cachedTokens: 3, reasoningTokens: 1 };
  await service.store(project, {
    spans: [
      {
        traceId: 't1',
        sessionId: 's',
        userId: 'old',
        environment: 'prod',
        endNs: nowNs + 9n * secondNs,
        costUsd: 0.25,
        costStatus: 'provided',
        ...call,
      },
      {
        traceId: 't2',
        sessionId: 's',
        userId: 'new',
        environment: 'dev',
        startNs: nowNs + secondNs,
        status: 'error',
        errorCode: 'unknown',
        ...call,
      },
      { traceId: 't2', spanId: 'b', startNs: nowNs + secondNs, endNs: nowNs + 2n * secondNs },
      { traceId: 't3', userId: 'new' },
    ],
    scores: [
      { scoreId: 'x', traceId: '', sessionId: 's', score: 0.5, evaluator: 'mood' },
      { scoreId: 'y', traceId: '', sessionId: 'other' },
      { scoreId: 'z', traceId: 't1', sessionId: 's' },
    ],
  });
  return project;
}

const summedUp = {
  sessionId: 's',
  userId: 'new',
  environments: ['dev', 'prod'],
  firstSeen: '2026-11-20T10:00:00.000Z',
  lastSeen: '2026-11-20T10:00:09.000Z',
  traceCount: 2,
  spanCount: 3,
  callCount: 2,
  errorCount: 1,
  unpricedCalls: 1,
  partlyPricedCalls: 0,
  costUsd: 0.25,
  inputTokens: 20,
  outputTokens: 10,
  cachedTokens: 6,
  reasoningTokens: 2,
};

describe('GET /v1/projects/:id/sessions', () => {
  test('sums up the traces of each session', async () => {
    const project = await threeTraces();
    const { status, body } = await service.request(project, '/sessions');
    expect(status).toBe(200);
    expect(body).toEqual({ sessions: [summedUp], nextCursor: null });
  });

  test('lists sessions by last activity, descending, in pages, with ids of any length', async () => {
    const project = service.project();
    const long = `long ${'x'.repeat(3000)}`;
    await service.store(project, {
      spans: [
        { traceId: 'a', sessionId: 'first', startNs: nowNs - 3n * secondNs, endNs: nowNs + 5n * secondNs },
        { traceId: 'b', sessionId: long, startNs: nowNs },
        { traceId: 'c', sessionId: 'tie', startNs: nowNs },
        { traceId: 'd', sessionId: 'tie too', startNs: nowNs },
        { traceId: 'e', sessionId: 'last', startNs: nowNs - secondNs },
      ],
    });
    const ids: string[] = [];
    for (let query = 'limit=1'; ;) {
      const { body } = await service.request(project, `/sessions?${query}`);
      ids.push(...body.sessions.map((session: { sessionId: string }) => session.sessionId));
      if (body.nextCursor === null) break;
      query = `limit=1&cursor=${body.nextCursor}`;
    }
    expect(ids).toHaveLength(5);
    expect(ids[0]).toBe('first');
    expect(ids.slice(1, 4).toSorted()).toEqual([long, 'tie', 'tie too']);
    expect(ids[4]).toBe('last');
  });

  test('a cursor with another position than the list writes is 400', async () => {
    const project = service.project();
    await service.store(project, {
      spans: ['a', 'b'].map((id) => ({ traceId: id, sessionId: id, startNs: nowNs })),
    });
    const { body } = await service.request(project, '/sessions?limit=1');
    const [list, value] = JSON.parse(Buffer.from(body.nextCursor, 'base64url').toString()) as string[];
    for (const tie of ['x', '-1', '18446744073709551616']) {
      const cursor = Buffer.from(JSON.stringify([list, value, tie])).toString('base64url');
      const answer = await service.request(project, `/sessions?limit=1&cursor=${cursor}`);
      expect([answer.status, answer.body.code], tie).toEqual([400, 'invalid_request']);
    }
  });

  test('a filter selects sessions and does not reduce their sums', async () => {
    const project = await threeTraces();
    for (const query of ['user=old', 'environment=dev', 'q=S', 'q=OL', 'user=new&environment=prod']) {
      expect((await service.request(project, `/sessions?${query}`)).body.sessions, query).toEqual([summedUp]);
    }
    for (const query of ['user=ol', 'environment=x', 'q=%25', 'from=2026-11-20T10:01:00Z'])
      expect(await idsOf(project, query), query).toEqual([]);
    expect((await service.request(project, '/sessions?from=2026-11-20T10:00:01Z')).body.sessions).toMatchObject([
      { traceCount: 1 },
    ]);
  });

  test('401, 403, 404 and 400', async () => {
    const [project, other] = [await threeTraces(), service.project()];
    expect((await service.request(project, '/sessions?limit=0', { by: 'nobody' })).status).toBe(401);
    expect((await service.request(project, '/sessions?limit=0', { by: 'owner', caller: other })).status).toBe(403);
    expect((await service.request(project, '/sessions?limit=0', { caller: other })).status).toBe(404);
    for (const query of ['limit=0', 'range=1w', 'cursor=x', 'range=7d&from=2026-11-20T10:00:00Z']) {
      const { status, body } = await service.request(project, `/sessions?${query}`);
      expect([status, body.code], query).toEqual([400, 'invalid_request']);
    }
    expect(await idsOf(other, '')).toEqual([]);
  });
});

describe('GET /v1/projects/:id/sessions/:sessionId', () => {
  test('returns the session, its traces in time order and its own scores', async () => {
    const project = await threeTraces();
    const { status, body } = await service.request(project, '/sessions/s');
    expect(status).toBe(200);
    expect(body.session).toEqual(summedUp);
    expect(body.traces.map((trace: { traceId: string }) => trace.traceId)).toEqual(['t1', 't2']);
    expect(body.scores).toEqual([
      expect.objectContaining({ scoreId: 'x', traceId: null, spanId: null, sessionId: 's', evaluator: 'mood', score: 0.5 }),
    ]);
    expect(body).not.toHaveProperty('truncated');
  });

  test('takes an id of any characters', async () => {
    const project = service.project();
    const ids = ['a/b', '../..', '%2F', 'it\'s \\ "q" ?#&', 'é😀\u0001\n', '.'];
    await service.store(project, { spans: ids.map((sessionId, index) => ({ traceId: `t${index}`, sessionId })) });
    for (const [index, id] of ids.entries()) {
      // URL parsing removes a segment that is a dot, encoded or not.
      if (id === '.') continue;
      const { status, body } = await service.request(project, `/sessions/${encodeURIComponent(id)}`);
      expect([status, body.session?.sessionId, body.traces?.[0]?.traceId]).toEqual([200, id, `t${index}`]);
    }
  });

  test('returns only retained traces', async () => {
    const project = service.project('free');
    await service.store(project, {
      spans: [
        { traceId: 'kept', sessionId: 's', startNs: nowNs - 13n * dayNs },
        { traceId: 'gone', sessionId: 's', startNs: nowNs - 15n * dayNs },
      ],
      scores: [{ traceId: '', sessionId: 's', scoreId: 'old', timestampMs: nowMs - 15 * 86_400_000 }],
    });
    const { body } = await service.request(project, '/sessions/s');
    expect(body).toMatchObject({ session: { traceCount: 1 }, traces: [{ traceId: 'kept' }], scores: [] });
  });

  test('401, 403 and 404', async () => {
    const [project, other] = [await threeTraces(), service.project()];
    expect((await service.request(project, '/sessions/s', { by: 'nobody' })).status).toBe(401);
    expect((await service.request(project, '/sessions/s', { by: 'owner', caller: other })).status).toBe(403);
    expect((await service.request(project, '/sessions/s', { caller: other })).status).toBe(404);
    expect((await service.request(other, '/sessions/s')).body).toMatchObject({ code: 'not_found' });
    expect((await service.request(project, '/sessions/S')).status).toBe(404);
    expect((await service.request(project, '/sessions/other')).status).toBe(404);
  });
});
