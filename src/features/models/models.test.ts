import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { rangeNames } from '../../contract/common.ts';
import { spanKinds } from '../../contract/kinds.ts';
import type { TimelineQuery } from '../../contract/models.ts';
import type { IngestBatch, ScoreRecord, SpanRecord } from '../records/index.ts';
import { nanoseconds, score, spanBefore } from './events.fixture.ts';
import { expectClose } from './expect-close.fixture.ts';
import { nowMs, openModelsService } from './models-service.fixture.ts';
import type { ModelsService } from './models-service.fixture.ts';
import { Oracle } from './models.oracle.ts';
import { dayMs } from '../../contract/durations.ts';

let service: ModelsService;

beforeAll(async () => {
  service = await openModelsService();
}, 60_000);
afterAll(() => service.close());

const today = Date.UTC(2026, 10, 20);
// The last two sort differently by UTF-16 unit and by code point. Most data and most requests are about the first.
const models = ['gpt-4o', 'org/model.v1', '～full', '😀'];

// Instants around every boundary: days, the first day of each range, the free plan's retention edge, the next midnight, and now.
const edges = [
  today,
  today - dayMs,
  today - 6 * dayMs,
  today - 29 * dayMs,
  today - 89 * dayMs,
  nowMs - 14 * dayMs,
  today - 14 * dayMs,
  today + dayMs,
  nowMs,
  nowMs - 40 * 60_000,
  nowMs - 40 * 60_000,
  nowMs - 3 * dayMs,
];
const instant = fc
  .tuple(fc.constantFrom(...edges), fc.constantFrom(-3_600_000, -1, -0.001, 0, 0.001, 1, 60_000, 1_800_000))
  .map(([edge, offset]) => nanoseconds(edge + offset));

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
const tokens = maybe(fc.integer({ min: 0, max: 5000 }));
const traceId = fc.constantFrom('t1', 't2', 't3');
const spanNumber = fc.integer({ min: 0, max: 5 });

const span: fc.Arbitrary<SpanRecord> = fc
  .record({
    traceId,
    number: spanNumber,
    parent: fc.integer({ min: -1, max: 6 }),
    kind: fc.constantFrom('llm', 'llm', 'llm', 'embedding', ...spanKinds),
    startNs: instant,
    durationMs: maybe(fc.constantFrom(-5, 0, 0.001, 1.25, 12.345, 800, 800.5, 812, 12_345.678, 3_600_000)),
    error: fc.constantFrom('', '', 'timeout', 'rate_limited', 'unknown', 'é'),
    model: fc.constantFrom('', 'gpt-4o', 'gpt-4o', 'gpt-4o', ...models),
    provider: fc.constantFrom('', 'openai', 'anthropic'),
    responseId: fc.constantFrom('', '', 'r1', 'r2'),
    agentName: fc.constantFrom('', '', 'planner', 'writer', '～a', '😀a'),
    operation: fc.constantFrom('', 'chat', 'rerank'),
    inputTokens: tokens,
    outputTokens: tokens,
    cachedTokens: tokens,
    reasoningTokens: tokens,
    costUsd: maybe(fc.constantFrom(0, 0.1, 0.2, 0.000001, 1e-9, 12.5)),
    timeToFirstTokenMs: maybe(fc.constantFrom(0, 0.5, 120, 333.3)),
    source: fc.constantFrom('native' as const, 'otlp' as const),
    environment: fc.constantFrom('', 'production', 'production', 'staging'),
    isPartlyPriced: fc.boolean(),
  })
  .map(({ number, parent, error, durationMs, startNs, isPartlyPriced, ...fields }) => ({
    ...spanBefore,
    ...fields,
    startNs,
    // Spans beside each other are calls of their own.
    responseId: fields.responseId && `${fields.responseId} ${number}`,
    requestModel: fields.model,
    spanId: `s${number}`,
    // A parent has an earlier number, so that there are no cycles, or one from 6 on, which is never sent.
    parentSpanId: parent < 0 || parent === number ? '' : parent < number || parent > 5 ? `s${parent}` : '',
    endNs: durationMs === null ? null : startNs + nanoseconds(durationMs),
    status: error === '' ? ('ok' as const) : ('error' as const),
    errorCode: error,
    costStatus:
      fields.costUsd === null ? ('unpriced' as const) : isPartlyPriced ? ('partly_priced' as const) : ('provided' as const),
  }));

const evaluation: fc.Arbitrary<ScoreRecord> = fc
  .record({
    scoreId: fc.constantFrom('e1', 'e2', 'e3', 'e4', 'e5', 'e6'),
    target: fc.oneof(
      fc.record({ traceId, spanId: spanNumber.map((number) => `s${number}`) }),
      fc.record({ traceId, spanId: fc.constant('') }),
      fc.constant({ traceId: '', spanId: '', sessionId: 'session' }),
    ),
    evaluator: fc.constantFrom('helpful', 'toxic', 'grounded'),
    score: fc.constantFrom(0, 1, 0.1, 0.7, -3, 42.5),
    // Applications' scores beside judges on three scales and evaluators that do not measure quality, also under one slug.
    given: fc.constantFrom(
      {},
      {},
      { scaleMin: 1, scaleMax: 5 },
      { scaleMin: 0, scaleMax: 10 },
      { scaleMin: -1, scaleMax: 1 },
      { isQuality: false },
    ),
    passed: fc.constantFrom(null, true, false),
    model: fc.constantFrom('', '', '', 'gpt-4o', 'gpt-4o', ...models, 'never-called'),
    timestampMs: instant.map((ns) => Number(ns / 1_000_000n)),
  })
  .map(({ target, given, ...fields }) => score({ ...fields, ...target, ...given }));

const batch: fc.Arbitrary<IngestBatch> = fc.record({
  spans: fc.array(span, { maxLength: 14 }),
  scores: fc.array(evaluation, { maxLength: 8 }),
});
const corpus = fc.array(fc.record({ batch, seal: fc.constantFrom('nothing' as const, 'hours' as const, 'days' as const) }), {
  minLength: 1,
  maxLength: 4,
});

// Whole hours and partial ones, from rollups and from rows.
const moment = fc
  .tuple(fc.constantFrom(...edges), fc.constantFrom(-3_600_000, -1, 0, 1, 1_800_000))
  .map(([edge, offset]) => edge + offset);
const iso = (ms: number) => new Date(ms).toISOString();
const query: fc.Arbitrary<TimelineQuery> = fc.oneof(
  fc.constantFrom(...rangeNames).map((range) => ({ range })),
  moment.map((from) => ({ from: iso(from) })),
  fc.tuple(moment, moment).map(([one, other]) => {
    const ends = one < other ? [one, other] : [other, one + (one === other ? 1 : 0)];
    return { from: iso(ends[0] ?? 0), to: iso(ends[1] ?? 0) };
  }),
);
const longHourlyMs = 31 * dayMs;
/** Hourly rows where the window is short enough for them. */
function hourly(asked: TimelineQuery): TimelineQuery {
  const lengthMs = Date.parse(asked.to ?? iso(today + dayMs)) - Date.parse(asked.from ?? iso(nowMs));
  return asked.range === '90d' || lengthMs > longHourlyMs ? asked : { ...asked, interval: 'hour' };
}

const question = fc.record({
  plan: fc.constantFrom('free' as const, 'scale' as const),
  query: fc.oneof(query, query.map(hourly)),
  environment: fc.constantFrom<string[] | undefined>(undefined, ['production'], ['', 'staging']),
  model: fc.constantFrom('gpt-4o', 'gpt-4o', 'gpt-4o', ...models, 'never-called'),
});

const counts = {
  dirty: { usual: 5, nightly: 20 },
  sealed: { usual: 8, nightly: 30 },
  mixed: { usual: 10, nightly: 40 },
};

describe('the model routes agree with the oracle', () => {
  test.each(['dirty', 'sealed', 'mixed'] as const)(
    'with %s hours',
    async (state) => {
      await fc.assert(
        fc.asyncProperty(corpus, question, async (steps, { plan, query: times, environment, model }) => {
          const asked = environment ? { ...times, environment } : times;
          const project = service.project(plan);
          service.clock.set(nowMs);
          const sent: { spans: SpanRecord[]; scores: ScoreRecord[] } = { spans: [], scores: [] };
          for (const step of steps) {
            await service.store(project, step.batch);
            sent.spans.push(...step.batch.spans);
            sent.scores.push(...step.batch.scores);
            const seal = { dirty: 'nothing' as const, sealed: 'days' as const, mixed: step.seal }[state];
            if (seal !== 'nothing') await service.sealAll(seal);
          }
          const oracle = new Oracle(sent, { nowMs: service.clock.now(), plan, query: asked });
          expectClose(await service.detail(project, model, asked), oracle.detail(model));
          expectClose(await service.list(project, asked), oracle.list());
          expectClose(await service.overview(project, asked), oracle.overview());
        }),
        { numRuns: runs(counts[state]) },
      );
    },
    240_000,
  );
});
