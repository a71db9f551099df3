import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { dayMs, hourMs } from '../../../contract/durations.ts';
import { userSorts } from '../../../contract/users.ts';
import type { ApplicationUser } from '../../../contract/users.ts';
import type { OutcomeRecord, ScoreRecord, SpanRecord } from '../../records/index.ts';
import { emptyOutcome, emptyScore, emptySpan } from '../../records/records.fixture.ts';
import { nowMs, openTracesService } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';
import { tracesOf, userOracle, usersOracle } from './users.oracle.ts';
import type { OracleTrace, Sent } from './users.oracle.ts';

let service: TracesService;
beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

const edgeMs = nowMs - 14 * dayMs;
const midnight = Math.floor(nowMs / dayMs) * dayMs;

/** Around now, midnight, the starts of the ranges and the retention edge. */
const moment = fc.oneof(
  fc.integer({ min: nowMs - 3 * dayMs, max: nowMs }),
  fc
    .tuple(
      fc.constantFrom(nowMs - 6 * hourMs, midnight, midnight - 6 * dayMs, edgeMs, edgeMs, nowMs),
      fc.integer({ min: -2, max: 2 }),
    )
    .map(([at, ms]) => at + ms),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const name = (...names: string[]) => fc.constantFrom('', ...names);
const traceId = fc.constantFrom('t1', 't2', 't3', 't4', 't5', 't6');
const longId = `long ${'x'.repeat(200)}`;
const userIds = ['ada', 'Ada', 'é', '\u{1f600}', 'a/b', longId];
const mark = 'simulation';

const check = fc
  .array(fc.record({ guardrail: fc.constantFrom('pii', 'secrets'), triggered: fc.boolean() }), { maxLength: 3 })
  .map((results) => JSON.stringify({ action: 'flag', results }));

const span: fc.Arbitrary<SpanRecord> = fc
  .record({
    number: fc.integer({ min: -1, max: 5 }),
    parent: fc.nat({ max: 5 }),
    at: moment,
    check,
    isSimulated: fc.constantFrom(false, false, false, false, true),
    fields: fc.record({
      traceId,
      kind: fc.constantFrom(
        'llm' as const,
        'llm' as const,
        'embedding' as const,
        'agent' as const,
        'tool' as const,
        'guardrail' as const,
      ),
      status: fc.constantFrom('' as const, 'ok' as const, 'error' as const),
      model: name('m1', 'm1', 'm2'),
      agentName: name('', 'planner', 'writer'),
      sessionId: name('s1', 's2'),
      userId: name(...userIds),
      // Sums of these are exact in any order.
      costUsd: maybe(fc.constantFrom(0, 0.25, 0.5, 3)),
      costStatus: fc.constantFrom('provided' as const, 'provided' as const, 'unpriced' as const, 'partly_priced' as const),
      inputTokens: maybe(fc.constantFrom(0, 1, 40)),
      outputTokens: maybe(fc.constantFrom(0, 7)),
    }),
  })
  .map(({ number, parent, at, check: output, isSimulated, fields }) => ({
    ...emptySpan,
    ...fields,
    ...(isSimulated ? { environment: mark, agentName: mark, tags: [mark] } : {}),
    agentName: isSimulated ? mark : fields.kind === 'agent' ? fields.agentName || 'writer' : fields.agentName,
    status: fields.status,
    errorCode: fields.status === 'error' ? 'timeout' : '',
    responseId: `response ${fields.traceId} ${number}`,
    output: fields.kind === 'guardrail' ? output : '',
    startNs: BigInt(at) * 1_000_000n,
    // -1 is the trace's own record. A parent has a lower number, or one that is never sent: no cycles.
    spanId: number < 0 ? '' : `s${number}`,
    parentSpanId: number < 0 || parent === number ? '' : parent < number ? `s${parent}` : 'elsewhere',
  }));

const score: fc.Arbitrary<ScoreRecord> = fc
  .record({
    scoreId: fc.constantFrom('a', 'b', 'c', 'd'),
    traceId,
    spanId: name('', 's0', 's1', 'missing'),
    evaluator: fc.constantFrom('helpful', 'short'),
    score: fc.constantFrom(0, 0.25, 1, 3, Number.NaN),
    scale: fc.constantFrom([0, 1] as const, [1, 5] as const),
    isQuality: fc.constantFrom(true, true, false),
    timestampMs: moment,
  })
  .map(({ scale: [scaleMin, scaleMax], ...fields }) => ({ ...emptyScore, ...fields, scaleMin, scaleMax, label: 'label' }));

const outcome: fc.Arbitrary<OutcomeRecord> = fc
  .record({
    outcomeId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    traceId,
    kind: fc.constantFrom('order', 'ticket'),
    success: maybe(fc.boolean()),
    occurredMs: moment,
  })
  .map((fields) => ({ ...emptyOutcome, ...fields }));

const batch = fc.record({
  spans: fc.array(span, { minLength: 1, maxLength: 8 }),
  scores: fc.array(score, { maxLength: 4 }),
  outcomes: fc.array(outcome, { maxLength: 3 }),
});

/** Parameters of the list with what they keep, by the oracle. */
const filters: Record<string, (trace: OracleTrace) => boolean> = {
  '': () => true,
  'filter=model:m1': ({ calls }) => calls.some(({ model }) => model === 'm1'),
  'filter=cost:>0.5': ({ cost }) => cost > 0.5,
  'filter=status:error+OR+session:s1': ({ errors, sessionId }) => errors > 0 || sessionId === 's1',
  'filter=score.helpful:>=1': ({ scores }) => scores.some(({ evaluator, score: value }) => evaluator === 'helpful' && value >= 1),
  'filter=outcome:order': ({ outcomes }) => outcomes.some(({ kind }) => kind === 'order'),
  'filter=none(kind:tool)': ({ spans }) => !spans.some(({ kind }) => kind === 'tool'),
  'q=AD': ({ userId }) => userId.toLowerCase().includes('ad'),
};

const ranges: Record<string, { fromMs: number; beforeMs: number }> = {
  'range=7d': { fromMs: midnight - 6 * dayMs, beforeMs: nowMs + dayMs + 1 },
  '': { fromMs: midnight - 29 * dayMs, beforeMs: nowMs + dayMs + 1 },
  'range=6h': { fromMs: nowMs - 6 * hourMs, beforeMs: nowMs + dayMs + 1 },
  [`to=${new Date(midnight).toISOString()}`]: { fromMs: 0, beforeMs: midnight + 1 },
};

async function pagesOf(project: TestProject, query: string): Promise<ApplicationUser[]> {
  const found: ApplicationUser[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await service.request(project, `/users?limit=2&${query}${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(...body.users);
    if (body.nextCursor === null) return found;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

test('the figures of users are those of their traces, counted one by one', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 4 }),
      fc.subarray(['t1', 't2'], { minLength: 0 }),
      fc.constantFrom(...Object.keys(filters)),
      fc.constantFrom(...Object.keys(ranges)),
      fc.constantFrom(...userSorts),
      async (batches, deleted, filter, range, sort) => {
        const project = service.project('free');
        const sent = { spans: [] as SpanRecord[], scores: [] as ScoreRecord[], outcomes: [] as OutcomeRecord[] };
        for (const one of batches) {
          // A batch has a record once.
          const spans = [...new Map(one.spans.map((record) => [`${record.traceId} ${record.spanId}`, record])).values()];
          await service.store(project, { ...one, spans });
          sent.spans.push(...spans);
          sent.scores.push(...one.scores);
          sent.outcomes.push(...one.outcomes);
        }
        for (const id of deleted) {
          const { status } = await service.request(project, `/traces/${id}`, { method: 'DELETE', by: 'owner' });
          // One that was never sent, or of which nothing is retained, is not deleted.
          if (status !== 204) expect(status).toBe(404);
        }
        const all: Sent = { ...sent, deleted: new Set(deleted) };
        const terms = { edgeMs, ...(ranges[range] ?? { fromMs: 0, beforeMs: 0 }) };
        const traces = tracesOf(all, terms);
        const matching = traces.filter((trace) => filters[filter]?.(trace));
        expect(await pagesOf(project, `${range}&${filter}&sort=${sort}`)).toEqual(usersOracle(matching, sort));
        for (const userId of ['ada', longId]) {
          const { status, body } = await service.request(project, `/users/${encodeURIComponent(userId)}?${range}`);
          const expected = userOracle(traces, userId);
          expect(status, JSON.stringify(body)).toBe(expected === null ? 404 : 200);
          if (expected) expect(body).toEqual(expected);
        }
      },
    ),
    { numRuns: runs({ usual: 8, nightly: 40 }), endOnFailure: true },
  );
});
