import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { SpanRecord } from '../records/index.ts';
import { readTraceFigures } from './trace-figures.ts';
import { nowMs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';
import { dayMs, hourMs } from '../../contract/durations.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());
beforeEach(() => service.clock.set(nowMs));

/** The retention edge of plan `free` while the clock stands at `nowMs`. */
const edgeMs = nowMs - 14 * dayMs;
const ns = (ms: number) => BigInt(ms) * 1_000_000n;

/** Stores a trace with a span before the edge and one after it, each with everything that a filter looks at. */
async function straddling(project: TestProject, more: Array<Partial<SpanRecord>> = []): Promise<void> {
  const side = (name: string): Partial<SpanRecord> => ({
    traceId: 'straddling',
    spanId: name,
    name,
    kind: 'llm',
    model: `${name}-model`,
    agentName: `${name}-agent`,
    userId: `${name}-user`,
    environment: name,
    tags: [name],
    promptName: `${name}-prompt`,
    sessionId: 's',
    costUsd: 0.5,
    costStatus: 'partly_priced',
    inputTokens: 10,
    input: `"${name} words"`,
  });
  await service.store(project, {
    spans: [
      { ...side('old'), startNs: ns(edgeMs - hourMs), endNs: ns(edgeMs + 3 * hourMs), status: 'error', errorCode: '500' },
      { ...side('new'), parentSpanId: 'old', startNs: ns(edgeMs + hourMs), endNs: ns(edgeMs + 2 * hourMs) },
      ...more,
    ],
    scores: [
      { traceId: 'straddling', scoreId: 'old', evaluator: 'old-judge', score: 0.1, timestampMs: edgeMs - 1 },
      { traceId: 'straddling', scoreId: 'new', evaluator: 'new-judge', score: 0.9, timestampMs: edgeMs },
    ],
  });
}

async function idsOf(project: TestProject, query: string): Promise<string[]> {
  const { status, body } = await service.request(project, `/traces?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.traces.map((trace: { traceId: string }) => trace.traceId);
}

async function countsOf(project: TestProject, query: string): Promise<{ traces: number; errors: number }> {
  const { status, body } = await service.request(project, `/trace-counts?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  const sum = (field: 'traces' | 'errors') =>
    body.buckets.reduce((total: number, bucket: Record<'traces' | 'errors', number>) => total + bucket[field], 0);
  return { traces: sum('traces'), errors: sum('errors') };
}

const remaining = {
  name: 'new',
  startTime: new Date(edgeMs + hourMs).toISOString(),
  endTime: new Date(edgeMs + 2 * hourMs).toISOString(),
  durationMs: hourMs,
  status: 'ok',
  userId: 'new-user',
  environment: 'new',
  tags: ['new'],
  models: ['new-model'],
  agents: ['new-agent'],
  spanCount: 1,
  callCount: 1,
  errorCount: 0,
  costUsd: 0.5,
  inputTokens: 10,
  inputPreview: '"new words"',
};

describe('a partly expired trace', () => {
  test('is listed, found and counted in its session with what is left, and gone when nothing is left', async () => {
    const project = service.project('free');
    await straddling(project);
    const { body: list } = await service.request(project, '/traces');
    expect(list.traces).toMatchObject([remaining]);
    const { text, body: trace } = await service.request(project, '/traces/straddling');
    expect(trace).toMatchObject({
      trace: { ...remaining, input: 'new words' },
      spans: [{ spanId: 'new', depth: 0 }],
      scores: [{ scoreId: 'new' }],
    });
    expect(text).not.toContain('old-');
    const { body: sessions } = await service.request(project, '/sessions');
    const summed = {
      sessionId: 's',
      userId: 'new-user',
      environments: ['new'],
      traceCount: 1,
      spanCount: 1,
      errorCount: 0,
      costUsd: 0.5,
    };
    expect(sessions.sessions).toMatchObject([{ ...summed, firstSeen: remaining.startTime, lastSeen: remaining.endTime }]);
    expect((await service.request(project, '/sessions/s')).body).toMatchObject({ session: summed, traces: [remaining] });
    expect(await countsOf(project, '')).toEqual({ traces: 1, errors: 0 });
    expect(await countsOf(project, 'model=new-model&evaluator=new-judge&promptName=new-prompt')).toEqual({
      traces: 1,
      errors: 0,
    });
    expect(await countsOf(project, 'model=old-model')).toEqual({ traces: 0, errors: 0 });
    expect([...(await readTraceFigures(service, project, ['straddling', 'other']))]).toEqual([
      ['straddling', { durationMs: hourMs, costUsd: 0.5, unpricedCalls: 0, partlyPricedCalls: 1, failed: false }],
    ]);

    service.clock.advance(hourMs);
    expect(await idsOf(project, '')).toEqual(['straddling']);
    service.clock.advance(1);
    expect(await idsOf(project, '')).toEqual([]);
    expect((await service.request(project, '/traces/straddling')).status).toBe(404);
    expect((await service.request(project, '/sessions')).body.sessions).toEqual([]);
    expect((await service.request(project, '/sessions/s')).status).toBe(404);
    expect((await readTraceFigures(service, project, ['straddling'])).size).toBe(0);
  });

  test('matches filters by its remaining records alone', async () => {
    const project = service.project('free');
    await straddling(project);
    const filters = (side: string) => [
      `model=${side}-model`,
      `agent=${side}-agent`,
      `user=${side}-user`,
      `environment=${side}`,
      `tag=${side}`,
      `promptName=${side}-prompt`,
      `evaluator=${side}-judge`,
      `q=${side}%20words`,
      `q=${side}%20words&sort=-cost&evaluator=${side}-judge`,
    ];
    for (const query of [
      ...filters('new'),
      'status=ok',
      'session=s',
      'unscoredBy=old-judge',
      'minLatency=3600000',
      'maxScore=0.9',
    ])
      expect(await idsOf(project, query), query).toEqual(['straddling']);
    for (const query of [
      ...filters('old'),
      'status=error',
      'unscoredBy=new-judge',
      'minLatency=3600001',
      'minCost=1',
      'maxScore=0.1',
    ])
      expect(await idsOf(project, query), query).toEqual([]);
    const from = (ms: number) => `from=${new Date(ms).toISOString()}`;
    expect(await idsOf(project, from(edgeMs + hourMs))).toEqual(['straddling']);
    expect(await idsOf(project, from(edgeMs + hourMs + 1))).toEqual([]);
    expect(await idsOf(project, `${from(edgeMs - dayMs)}&to=${new Date(edgeMs + hourMs - 1).toISOString()}`)).toEqual([]);
    expect((await service.request(project, '/sessions?user=old-user')).body.sessions).toEqual([]);
    expect((await service.request(project, '/sessions?user=new-user')).body.sessions).toHaveLength(1);
  });

  test('lends nothing that has expired to its spans, in lists, filters and facets', async () => {
    const project = service.project('free');
    const bare = { traceId: 'straddling', spanId: 'bare', parentSpanId: 'old', name: 'bare', kind: 'tool' as const };
    await straddling(project, [{ ...bare, startNs: ns(edgeMs + 2 * hourMs) }]);
    const get = async (path: string) => {
      const { status, body } = await service.request(project, path);
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    };
    for (const sort of ['-startTime', 'startTime', '-latency']) {
      const { spans } = await get(`/spans?range=90d&sort=${sort}`);
      expect(spans.map(({ spanId }: { spanId: string }) => spanId).toSorted(), sort).toEqual(['bare', 'new']);
      expect(JSON.stringify(spans)).not.toMatch(/old-/);
      expect(spans.map(({ trace }: { trace: { name: string } }) => trace.name)).toEqual(['new', 'new']);
    }
    expect((await get('/spans?range=90d&filter=user:old-user')).spans).toEqual([]);
    expect((await get('/span-counts?range=90d')).count).toBe(2);
    expect((await get('/facets?on=spans&range=90d&field=user')).facets[0]).toEqual({
      field: 'user',
      values: [{ value: 'new-user', count: 1 }],
      other: 0,
      missing: 1,
      total: 2,
    });
    expect((await get('/facets?on=traces&range=90d&field=user')).facets[0].values).toEqual([{ value: 'new-user', count: 1 }]);
  });

  test("shows nothing of its own record once that has expired, and stands at the record's time without spans", async () => {
    const project = service.project('free');
    const record: Partial<SpanRecord> = { spanId: '', name: 'record', sessionId: 'of-record', tags: ['record'] };
    await service.store(project, {
      spans: [
        { ...record, traceId: 'early', startNs: ns(edgeMs - 1) },
        { traceId: 'early', name: 'span', startNs: ns(edgeMs) },
        { ...record, traceId: 'late', startNs: ns(edgeMs + 5) },
        { traceId: 'late', name: 'span', startNs: ns(edgeMs - 1), endNs: ns(edgeMs) },
      ],
    });
    const at = (ms: number) => new Date(ms).toISOString();
    expect((await service.request(project, '/traces')).body.traces).toMatchObject([
      { traceId: 'late', name: 'record', startTime: at(edgeMs + 5), endTime: null, spanCount: 0, tags: ['record'] },
      { traceId: 'early', name: 'span', startTime: at(edgeMs), sessionId: null, spanCount: 1, tags: [] },
    ]);
    expect((await service.request(project, '/traces/early')).body.trace).toMatchObject({ name: 'span', sessionId: null });
    expect((await service.request(project, '/sessions')).body.sessions).toMatchObject([
      { sessionId: 'of-record', traceCount: 1 },
    ]);
  });

  test('stands in its place among whole traces, on every page and in every order', async () => {
    const project = service.project('free');
    await straddling(project);
    const spans = Array.from({ length: 6 }, (_, index) => ({
      traceId: `whole-${index}`,
      startNs: ns(edgeMs + index * 0.5 * hourMs),
      endNs: ns(edgeMs + index * hourMs),
      kind: 'llm' as const,
      costUsd: index * 0.2,
    }));
    await service.store(project, { spans });
    // The trace starts with whole-2, and sorts before it by id; its cost lies between those of whole-2 and whole-3.
    const byStart = ['whole-0', 'whole-1', 'straddling', 'whole-2', 'whole-3', 'whole-4', 'whole-5'];
    const byCost = ['whole-0', 'whole-1', 'whole-2', 'straddling', 'whole-3', 'whole-4', 'whole-5'];
    const orders = { startTime: byStart, '-startTime': byStart.toReversed(), cost: byCost, '-cost': byCost.toReversed() };
    for (const [sort, expected] of Object.entries(orders)) {
      for (const limit of [1, 2, 3, 7]) {
        const pages: string[] = [];
        let cursor = '';
        do {
          const { body } = await service.request(project, `/traces?sort=${sort}&limit=${limit}${cursor}`);
          pages.push(...body.traces.map((trace: { traceId: string }) => trace.traceId));
          cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
        } while (cursor !== '');
        expect(pages, `${sort}, ${limit}`).toEqual(expected);
      }
    }
  });

  test('is listed once and as before when its expired spans have been deleted and further ones arrive', async () => {
    const project = service.project('free');
    const traces = { project: project.projectId, start: String(ns(edgeMs - hourMs)) };
    await straddling(project);
    await service.clickhouse.command(
      `ALTER TABLE spans DELETE WHERE project_id = {project:UUID} AND span_id = 'old' SETTINGS mutations_sync = 1`,
      traces,
    );
    expect((await service.request(project, '/traces')).body.traces).toMatchObject([remaining]);
    // A batch that finds the new span alone leaves the summary that starts with the old one.
    await service.clickhouse.command(
      `INSERT INTO traces SELECT * REPLACE (fromUnixTimestamp64Nano({newStart:Int64}) AS start_time, fromUnixTimestamp64Nano({newStart:Int64}) AS oldest_time, 'again' AS name, version + 1 AS version)
       FROM traces FINAL WHERE project_id = {project:UUID}`,
      { ...traces, newStart: String(ns(edgeMs + hourMs)) },
    );
    expect((await service.request(project, '/traces')).body.traces).toMatchObject([{ traceId: 'straddling', name: 'again' }]);
    expect((await service.request(project, '/sessions')).body.sessions).toMatchObject([{ traceCount: 1 }]);
    expect((await service.request(project, '/sessions/s')).body.traces).toHaveLength(1);
  });

  test('is deleted as any other', async () => {
    const project = service.project('free');
    await straddling(project);
    expect((await service.request(project, '/traces/straddling', { method: 'DELETE', by: 'owner' })).status).toBe(204);
    expect(await idsOf(project, '')).toEqual([]);
    expect((await service.request(project, '/traces/straddling')).status).toBe(404);
  });

  test('is not seen by another project', async () => {
    const [project, other] = [service.project('free'), service.project('free')];
    await straddling(project);
    expect(await idsOf(other, '')).toEqual([]);
    expect((await service.request(other, '/traces/straddling')).status).toBe(404);
  });
});
