import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../../test/support/app.ts';
import type { TestApp } from '../../../test/support/app.ts';
import { runs } from '../../../test/support/runs.ts';
import { intervalNames } from '../../contract/metrics/intervals.ts';
import type { MetricSubject } from '../../contract/metrics/measures.ts';
import { measuresOf } from '../../contract/metrics/measures.ts';
import type { MetricAnswer } from '../../contract/metrics/query.ts';
import type { SpanRecord } from '../records/index.ts';
import { emptySpan } from '../records/records.fixture.ts';
import { sealHours } from '../figures/index.ts';
import { answerOf } from './metrics.oracle.ts';
import type { OracleTrace } from './metrics.oracle.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const nowMs = Date.UTC(2026, 10, 20, 10, 30);
const pick = <T>(values: readonly T[], index: number) => values[index % values.length] as T;

/** Traces of an agent, two calls and a tool in combinations of few values, over 20 days. What the root says the others inherit. */
const traces: OracleTrace[] = Array.from({ length: 48 }, (_, index) => {
  const traceId = `trace-${index}`;
  const startMs = nowMs - ((index * 7) % 20) * dayMs - index * 911_000;
  const startNs = BigInt(startMs) * 1_000_000n;
  const span = (fields: Partial<SpanRecord>): SpanRecord => ({ ...emptySpan, traceId, startNs, ...fields });
  const failed = index % 5 === 0 ? { status: 'error' as const, errorCode: pick(['timeout', '500'], index) } : {};
  const call = (spanId: string, fields: Partial<SpanRecord>) =>
    span({
      spanId,
      parentSpanId: `${traceId}-root`,
      kind: 'llm',
      name: 'chat',
      provider: pick(['openai', 'anthropic', ''], index),
      ...fields,
    });
  return {
    traceId,
    spans: [
      span({
        spanId: `${traceId}-root`,
        kind: 'agent',
        name: pick(['answer', 'plan'], index >> 2),
        userId: pick(['', 'ada', 'bo', 'cy'], index),
        sessionId: pick(['s1', '', 's2'], index),
        environment: pick(['prod', 'staging', ''], index >> 1),
        tags: pick<string[]>([[], ['a'], ['a', 'b'], ['c']], index),
        endNs: startNs + BigInt(1 + (index % 9)) * 700_000_000n,
      }),
      call(`${traceId}-one`, {
        model: pick(['m1', 'm2', 'm3', 'm1'], index),
        startNs: startNs + 1_000_000n,
        endNs: index % 11 === 3 ? null : startNs + 1_000_000n + BigInt(index % 13) * 37_000_001n,
        timeToFirstTokenMs: index % 3 === 0 ? null : (index % 7) * 11,
        inputTokens: index % 6 === 0 ? null : index * 10,
        outputTokens: index % 4 === 0 ? null : index,
        cachedTokens: index % 2,
        costUsd: index % 8 === 1 ? null : index / 300,
        costStatus: index % 8 === 1 ? 'unpriced' : 'priced',
        metadata: JSON.stringify(pick<object>([{ tenant: 'acme' }, { tenant: ['acme', 'globex'] }, {}, { tenant: 3 }], index)),
        ...failed,
      }),
      call(`${traceId}-two`, {
        model: pick(['m2', 'm4'], index),
        userId: pick(['', 'dee'], index >> 3),
        startNs: startNs + 40_000_000n,
        endNs: startNs + 90_000_000n,
        costUsd: 0.0125,
        costStatus: 'priced',
        inputTokens: 7,
        outputTokens: 5,
      }),
      span({
        spanId: `${traceId}-tool`,
        parentSpanId: `${traceId}-root`,
        kind: 'tool',
        name: 'search',
        toolName: pick(['', 'orders'], index),
        startNs: startNs + 5_000_000n,
        endNs: startNs + 6_000_000n,
      }),
    ],
  };
});

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp(nowMs);
  const { organizationId, projectId, pipeline } = app;
  const store = async (spans: SpanRecord[]) => {
    await pipeline.accept({ organizationId, projectId }, { spans, scores: [] }, 0);
    await pipeline.drain();
  };
  const spans = traces.flatMap((trace) => trace.spans);
  // Roots of some come last, some spans first as something else, and some traces that are deleted.
  const late = (index: number) => index % 3 === 0;
  const wrong = spans.filter((_, index) => index % 7 === 0);
  await store(
    wrong.map((span) => ({
      ...span,
      costUsd: 99,
      model: span.model === '' ? '' : 'm9',
      tags: ['wrong'],
      status: 'error' as const,
    })),
  );
  await store([
    ...spans.filter((_, index) => !late(index)),
    ...spans.slice(0, 8).map((span) => ({ ...span, traceId: `gone-${span.traceId}` })),
  ]);
  await store(spans.filter((_, index) => late(index)));
  await pipeline.deleteTraces(
    { organizationId, projectId },
    traces.slice(0, 8).map(({ traceId }) => `gone-${traceId}`),
  );
  // Some hours are sealed: queries read rollups and rows.
  app.clock.advance(10_000);
  const context = { clickhouse: app.stores.clickhouse, hourStates: app.hourStates, clock: app.clock };
  await sealHours(context);
}, 60_000);
afterAll(() => app.close());

async function query(body: object): Promise<MetricAnswer> {
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}/query`, {
    method: 'POST',
    headers: { 'x-api-key': app.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text) as MetricAnswer;
}

/** The start of the interval of a time, by calendar arithmetic. */
const startOf: Readonly<Record<string, (ms: number) => number>> = {
  minute: (ms) => new Date(ms).setUTCSeconds(0, 0),
  '5m': (ms) => Math.floor(ms / 300_000) * 300_000,
  '15m': (ms) => Math.floor(ms / 900_000) * 900_000,
  hour: (ms) => new Date(ms).setUTCMinutes(0, 0, 0),
  '6h': (ms) => {
    const date = new Date(ms);
    return date.setUTCHours(date.getUTCHours() - (date.getUTCHours() % 6), 0, 0, 0);
  },
  day: (ms) => new Date(ms).setUTCHours(0, 0, 0, 0),
  week: (ms) => {
    const date = new Date(ms);
    date.setUTCHours(0, 0, 0, 0);
    return date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  },
  month: (ms) => {
    const date = new Date(ms);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  },
};

const untold = new Set(['agents', 'cacheWriteTokens', 'reasoningTokens']);
const dimensionsOf: Readonly<Record<MetricSubject, readonly string[]>> = {
  calls: ['model', 'provider', 'status', 'user', 'environment', 'tag', 'metadata.tenant', 'trace.name', 'hourOfDay', 'weekday'],
  spans: ['name', 'model', 'tool', 'user', 'environment', 'tag', 'metadata.tenant', 'status', 'weekday'],
  traces: ['name', 'status', 'model', 'user', 'environment', 'tag', 'metadata.tenant', 'tool', 'hourOfDay'],
};
const filters = [
  { filter: undefined, keeps: () => true },
  {
    filter: 'model:m1',
    keeps: ({ dimensions }: { dimensions: Readonly<Record<string, readonly string[]>> }) =>
      dimensions['model']?.includes('m1') === true,
  },
  {
    filter: 'tag:a -user:ada',
    keeps: ({ dimensions }: { dimensions: Readonly<Record<string, readonly string[]>> }) =>
      dimensions['tag']?.includes('a') === true && !dimensions['user']?.includes('ada'),
  },
  {
    filter: 'environment:*',
    keeps: ({ dimensions }: { dimensions: Readonly<Record<string, readonly string[]>> }) =>
      (dimensions['environment'] ?? []).length > 0,
  },
];

const asked = fc.constantFrom('calls' as const, 'spans' as const, 'traces' as const).chain((on) =>
  fc.record({
    on: fc.constant(on),
    measures: fc.uniqueArray(
      fc.oneof(
        ...measuresOf[on]
          .filter(({ name }) => !untold.has(name))
          .map(({ name, aggregations }) => {
            const choices = aggregations.filter((one) => one !== 'histogram');
            return choices.length === 0
              ? fc.constant({ measure: name, aggregation: undefined })
              : fc.constantFrom(...choices).map((aggregation) => ({ measure: name, aggregation }));
          }),
      ),
      { minLength: 1, maxLength: 8, selector: ({ measure, aggregation }) => `${measure}.${aggregation}` },
    ),
    by: fc.oneof(
      { weight: 3, arbitrary: fc.uniqueArray(fc.constantFrom<string[]>(...dimensionsOf[on]), { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constant<string[]>(on === 'calls' ? ['model'] : ['status']) },
    ),
    chosen: fc.oneof({ weight: 1, arbitrary: fc.constant(filters[0]) }, { weight: 1, arbitrary: fc.constantFrom(...filters) }),
    interval: fc.oneof(fc.constant(undefined), fc.constantFrom(...intervalNames)),
    limit: fc.constantFrom(1, 2, 3, 20),
    hoursBack: fc.integer({ min: 1, max: 24 * 22 }),
    hours: fc.integer({ min: 1, max: 24 * 22 }),
    minutes: fc.constantFrom(0, 0, 17),
  }),
);

const near = (value: unknown) => (typeof value === 'number' ? expect.closeTo(value, 9) : value);

test('random queries answer what the spans add up to', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async ({ on, measures, by, chosen, interval, limit, hoursBack, hours, minutes }) => {
      const fromMs = nowMs - hoursBack * hourMs - minutes * 60_000;
      const span = interval === 'minute' || interval === '5m' || interval === '15m' ? Math.min(hours, 24) : hours;
      const beforeMs = Math.min(fromMs + span * hourMs, nowMs + dayMs);
      const answer = await query({
        on,
        measures,
        by,
        filter: chosen?.filter,
        interval,
        limit,
        from: new Date(fromMs).toISOString(),
        to: new Date(beforeMs).toISOString(),
      });
      const bucketOf = interval === undefined ? undefined : startOf[interval];
      const keeps = chosen?.keeps ?? (() => true);
      const wanted = answerOf(traces, { on, measures, by, fromMs, beforeMs, bucketOf, limit, keeps });
      const rows = answer.rows
        // Without dimensions each interval has a row.
        .filter(({ n }) => n > 0 || interval === undefined)
        .map((row) => ({
          key: JSON.stringify(by.map((name) => (row[name] as string | null) ?? '')),
          ...(row.time === undefined ? {} : { time: row.time }),
          values: row.values,
          n: row.n,
        }));
      expect(answer.totals).toEqual({ values: wanted.totals.values.map(near), n: wanted.totals.n });
      expect(rows).toEqual(wanted.rows.map((row) => ({ ...row, values: row.values.map(near) })));
      const { rows: _byTime, ...other } = answer.other ?? {};
      expect(answer.other === null ? null : other).toEqual(
        wanted.other === null ? null : { ...wanted.other, values: wanted.other.values.map(near) },
      );
      expect(answer.truncated).toBe(wanted.other !== null);
    }),
    { numRuns: runs({ usual: 12, nightly: 500 }) },
  );
});
