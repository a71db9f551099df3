import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { Session, TraceSummary } from '../../contract/traces.ts';
import type { SpanRecord } from '../records/index.ts';
import { emptySpan } from '../records/records.fixture.ts';
import { RetainedTraces } from './partly-expired.oracle.ts';
import { nowMs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';
import { hourMs } from '../../contract/durations.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const edgeMs = nowMs - 14 * 24 * hourMs;

/** Milliseconds from the edge: the milliseconds at it, and hours and days apart. */
const offset = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -30, max: 30 }).map((hours) => hours * hourMs + 7),
  fc.integer({ min: -3, max: 5 }).map((days) => days * 24 * hourMs),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const tokens = maybe(fc.constantFrom(0, 1, 40));
const name = (...names: string[]) => fc.constantFrom('', ...names);
const spanNumber = fc.nat({ max: 5 });

const span: fc.Arbitrary<SpanRecord> = fc
  .record({
    number: fc.integer({ min: -1, max: 5 }),
    parent: spanNumber,
    offset,
    nanosecond: fc.constantFrom(0n, 0n, 1n, 999_999n),
    length: maybe(fc.constantFrom(0, 1, 2.5, hourMs)),
    fields: fc.record({
      traceId: fc.constantFrom('t1', 't2', 't3', 't4', 't5'),
      name: name('name-a', 'name-b'),
      traceName: name('', 'given-a', 'given-b'),
      kind: fc.constantFrom('llm' as const, 'llm' as const, 'embedding' as const, 'agent' as const, 'tool' as const),
      status: fc.constantFrom('' as const, 'ok' as const, 'error' as const),
      errorCode: fc.constantFrom('429', '500'),
      errorMessage: name('no reply', '\u{1f525}'.repeat(201)),
      model: name('gpt', 'gpt', 'claude'),
      agentName: name('', 'planner', 'writer'),
      sessionId: name('s1', 's2'),
      userId: name('u1', 'u2'),
      environment: name('prod', 'dev'),
      release: name('r1', 'r2'),
      tags: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 }),
      promptName: name('', 'greeting'),
      // Sums of these are exact in any order.
      costUsd: maybe(fc.constantFrom(0, 0.25, 0.5, 3)),
      costStatus: fc.constantFrom('provided' as const, 'unpriced' as const),
      inputTokens: tokens,
      outputTokens: tokens,
      cachedTokens: tokens,
      reasoningTokens: tokens,
      source: fc.constantFrom('native' as const, 'otlp' as const),
      responseId: name('response'),
      input: name('"asks for pears"', '"apples"'),
      output: name('"pears"', '[1]'),
    }),
  })
  .map(({ number, parent, offset: ms, nanosecond, length, fields }) => {
    const startNs = BigInt(edgeMs + ms) * 1_000_000n + nanosecond;
    return {
      ...emptySpan,
      ...fields,
      // Agents have a name: of one without, whether it has that of its span depends on spans that may have expired.
      agentName: fields.kind === 'agent' ? fields.agentName || 'writer' : fields.agentName,
      // Spans beside each other are calls of their own.
      operation: 'chat',
      output: fields.kind === 'llm' ? fields.output || '"plums"' : fields.output,
      responseId: fields.responseId && `${fields.responseId} ${number}`,
      startNs,
      // -1 is the trace's own record. A parent has a lower number, or one that is never sent: no cycles.
      spanId: number < 0 ? '' : `s${number}`,
      parentSpanId: number < 0 || parent === number ? '' : parent < number ? `s${parent}` : 'elsewhere',
      endNs: length === null || number < 0 ? null : startNs + BigInt(length * 1e6),
      // Only spans carry a name for their trace.
      traceName: number < 0 ? '' : fields.traceName,
    };
  });

const corpus = fc.array(fc.array(span, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 4 });

async function pagesOf<T>(project: TestProject, path: string, key: string): Promise<T[]> {
  const found: T[] = [];
  let cursor = '';
  do {
    const { status, body } = await service.request(project, `${path}${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(...body[key]);
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return found;
}

/** What a filter keeps, by the oracle. */
const filters: Record<string, (trace: TraceSummary, records: readonly SpanRecord[]) => boolean> = {
  'model=gpt': ({ models }) => models.includes('gpt'),
  'agent=planner': ({ agents }) => agents.includes('planner'),
  'status=error': ({ status }) => status === 'error',
  'session=s1': ({ sessionId }) => sessionId === 's1',
  'user=u1&tag=x': ({ userId, tags }) => userId === 'u1' && tags.includes('x'),
  'environment=prod': ({ environment }) => environment === 'prod',
  'minCost=0.5': ({ costUsd }) => costUsd >= 0.5,
  'minLatency=2': ({ durationMs }) => durationMs !== null && durationMs >= 2,
  'promptName=greeting': (_, records) => records.some(({ promptName }) => promptName === 'greeting'),
  'q=pears': (_, records) => records.some(({ input, output }) => `${input}${output}`.includes('pears')),
  'range=7d': ({ startTime }) => startTime >= new Date(service.clock.now() - 7 * 24 * hourMs).toISOString(),
};

const orders: Record<string, (trace: TraceSummary) => number> = {
  '-latency': ({ durationMs }) => -(durationMs ?? -1),
  latency: ({ durationMs }) => durationMs ?? 1e300,
  '-cost': ({ costUsd }) => -costUsd,
  cost: ({ costUsd }) => costUsd,
};

const ids = (traces: readonly TraceSummary[]) => traces.map(({ traceId }) => traceId);
const byId = <T extends TraceSummary>(traces: readonly T[]) => traces.toSorted((a, b) => (a.traceId < b.traceId ? -1 : 1));
const bySession = (sessions: readonly Session[]) => sessions.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
/** Between traces that start within a millisecond the response cannot tell which user is the latest. */
const withoutUser = (sessions: readonly Session[]) => bySession(sessions).map((session) => ({ ...session, userId: null }));

async function checkAt(project: TestProject, sent: readonly SpanRecord[], filter: string, order: string): Promise<void> {
  const oracle = new RetainedTraces(sent, BigInt(service.clock.now() - 14 * 24 * hourMs) * 1_000_000n);
  const expected = oracle.summaries();
  const inOrder = async () => {
    const listed = await pagesOf<TraceSummary>(project, '/traces?limit=3', 'traces');
    expect(byId(listed)).toEqual(byId(oracle.listed()));
    const starts = listed.map(({ startTime }) => startTime);
    expect(starts).toEqual(starts.toSorted().toReversed());
  };
  const sortedBy = async () => {
    const sorted = await pagesOf<TraceSummary>(project, `/traces?limit=3&sort=${order}`, 'traces');
    const key = orders[order] ?? (() => 0);
    expect(sorted.map(key)).toEqual(expected.map(key).toSorted((a, b) => a - b));
    expect(byId(sorted)).toEqual(byId(oracle.listed()));
  };
  const filtered = async () => {
    const matching = expected.filter((trace) => filters[filter]?.(trace, oracle.recordsOf(trace.traceId)));
    expect(ids(byId(await pagesOf<TraceSummary>(project, `/traces?limit=3&${filter}`, 'traces')))).toEqual(ids(byId(matching)));
    if (filter.startsWith('q=')) return;
    const { body } = await service.request(project, `/trace-counts?${filter}`);
    const counted = (name: string) =>
      body.buckets.reduce((sum: number, bucket: Record<string, number>) => sum + (bucket[name] ?? 0), 0);
    expect([counted('traces'), counted('errors')]).toEqual([
      matching.length,
      matching.filter(({ status }) => status === 'error').length,
    ]);
  };
  const inSessions = async () => {
    const sessions = await pagesOf<Session>(project, '/sessions?limit=1', 'sessions');
    expect(withoutUser(sessions)).toEqual(withoutUser(oracle.sessions()));
    const [session] = sessions;
    if (!session) return;
    const { body } = await service.request(project, `/sessions/${session.sessionId}`);
    expect(body.session).toEqual(session);
    expect(byId(body.traces)).toEqual(byId(expected.filter(({ sessionId }) => sessionId === session.sessionId)));
  };
  const oneByOne = async () => {
    for (const traceId of ['t1', 't2', 't3']) {
      const { status, body } = await service.request(project, `/traces/${traceId}`);
      const summary = expected.find((trace) => trace.traceId === traceId);
      expect(status).toBe(summary ? 200 : 404);
      if (!summary) continue;
      expect(body.trace).toMatchObject(summary);
      const spanIds = oracle.recordsOf(traceId).flatMap(({ spanId }) => (spanId === '' ? [] : [spanId]));
      expect(body.spans.map((shown: { spanId: string }) => shown.spanId).toSorted()).toEqual(spanIds.toSorted());
    }
  };
  await Promise.all([inOrder(), sortedBy(), filtered(), inSessions(), oneByOne()]);
}

test(
  'lists, sessions and traces around the retention edge agree with the oracle while the edge moves',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        corpus,
        fc.array(fc.constantFrom(1, 2, hourMs, 26 * hourMs, 72 * hourMs), { maxLength: 1 }),
        fc.constantFrom(...Object.keys(filters)),
        fc.constantFrom(...Object.keys(orders)),
        async (batches, moves, filter, order) => {
          const project = service.project('free');
          service.clock.set(nowMs);
          const sent: SpanRecord[] = [];
          for (const batch of batches) {
            // A batch has a span once.
            const spans = [...new Map(batch.map((record) => [`${record.traceId} ${record.spanId}`, record])).values()];
            await service.store(project, { spans });
            sent.push(...spans);
          }
          await checkAt(project, sent, filter, order);
          for (const move of moves) {
            service.clock.advance(move);
            await checkAt(project, sent, filter, order);
          }
        },
      ),
      { numRuns: runs({ usual: 3, nightly: 5 }), endOnFailure: true },
    );
  },
);
