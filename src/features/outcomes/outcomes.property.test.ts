import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { kindsOracle, summaryOracle } from './outcomes.oracle.ts';
import type { SentOutcome, SentSpan, Step } from './outcomes.oracle.ts';
import { nowMs, openOutcomesService } from './outcomes-service.fixture.ts';
import type { OutcomesService } from './outcomes-service.fixture.ts';
import { dayMs, hourMs } from '../../contract/durations.ts';

let service: OutcomesService;
beforeAll(async () => {
  service = await openOutcomesService();
});
afterAll(() => service.close());

// Times near now, midnights, the edges of the ranges and a retention edge of 14 days.
const midnight = Date.UTC(2026, 10, 20);
const edges = [0, 1, 6, 7, 13, 14, 29, 30].map((days) => midnight - days * dayMs);
const moment = fc
  .oneof(
    fc.integer({ min: nowMs - 6 * dayMs, max: nowMs }),
    fc.integer({ min: nowMs - 31 * dayMs, max: nowMs + 20 * hourMs }),
    fc
      .tuple(fc.constantFrom(...edges, nowMs - 14 * dayMs, nowMs), fc.integer({ min: -1, max: 1 }))
      .map(([edge, ms]) => edge + ms),
  )
  .map((ms) => new Date(ms).toISOString());
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
// Few, so that a trace has several outcomes of one kind.
const traceId = fc.constantFrom('t1', 't1', 't2', 't3');
const given = <T extends object>(record: T) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;

const span: fc.Arbitrary<SentSpan> = fc
  .record({
    type: fc.constant('span' as const),
    traceId,
    spanId: fc.constantFrom('a', 'b', 'c', 'd'),
    parentSpanId: maybe(fc.constantFrom('a', 'b', 'c', 'gone')),
    name: fc.constant('span'),
    kind: fc.constantFrom('llm', 'llm', 'embedding', 'agent', 'tool'),
    startTime: moment,
    model: maybe(fc.constantFrom('gpt-x', 'gpt-x', 'é')),
    agentName: fc.constantFrom('planner', 'writer'),
    environment: maybe(fc.constantFrom('production', 'staging')),
    usage: maybe(fc.nat(3).map((inputTokens) => ({ inputTokens }))),
    cost: maybe(fc.nat(640)),
  })
  // A span has its parent before it, so that there is no cycle. A cost without a model is no cost of a call.
  .map(
    ({ cost, parentSpanId, ...fields }) =>
      given({
        ...fields,
        parentSpanId:
          parentSpanId !== undefined && (parentSpanId < fields.spanId || parentSpanId === 'gone') ? parentSpanId : undefined,
        costUsd: fields.model === undefined ? 0 : cost === undefined ? undefined : cost / 64,
      }) as SentSpan,
  );
const outcome: fc.Arbitrary<SentOutcome> = fc
  .record({
    traceId: fc.oneof({ weight: 5, arbitrary: traceId }, { weight: 1, arbitrary: fc.constant('never-sent') }),
    kind: fc.constantFrom('order', 'order', 'order', 'Order', 'a.b'),
    value: maybe(fc.integer({ min: -6_400, max: 640_000 }).map((number) => number / 64)),
    currency: fc.constantFrom(undefined, 'USD', 'USD', 'EUR', 'JPY'),
    success: maybe(fc.boolean()),
    occurredAt: moment,
    idempotencyKey: maybe(fc.constantFrom('k1', 'k2', 'é')),
  })
  .map((fields) => given(fields) as SentOutcome);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ spans: fc.array(span, { minLength: 1, maxLength: 5 }) }) },
  { weight: 5, arbitrary: fc.record({ outcomes: fc.array(outcome, { minLength: 1, maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ deleted: traceId }) },
);

test('the figures are those of the last version of each event, counted one by one', { timeout: 300_000 }, async () => {
  const plans = { free: 14, scale: 365 } as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 10 }),
      fc.constantFrom('free' as const, 'scale' as const),
      fc.constantFrom(7, 30, 90),
      fc.option(fc.constantFrom('order', 'none'), { nil: undefined, freq: 4 }),
      fc.constantFrom(undefined, undefined, 'production', ''),
      async (steps, plan, days, kind, environment) => {
        const project = service.project('scale');
        for (const one of steps) {
          if ('spans' in one) await service.send(project, one.spans);
          else if ('outcomes' in one) {
            const { status, body } = await service.report(project, { outcomes: one.outcomes });
            expect([status, body]).toEqual([202, { accepted: one.outcomes.length, rejected: [] }]);
          } else await service.pipeline.deleteTrace(project, one.deleted);
        }
        await service.pipeline.drain();
        project.plan = plan;
        const terms = { days, nowMs, oldestMs: nowMs - plans[plan] * dayMs };
        const ofKind = kind === undefined ? '' : `&kind=${kind}`;
        const ofEnvironment = environment === undefined ? '' : `&environment=${environment}`;
        const summary = await service.read(project, `summary?range=${days}d${ofKind}${ofEnvironment}`);
        expect(summary.body).toEqual(summaryOracle(steps, { ...terms, kind, environment }));
        const kinds = await service.read(project, `kinds?range=${days}d${ofEnvironment}`);
        expect(kinds.body).toEqual(kindsOracle(steps, { ...terms, environment }));
      },
    ),
    { numRuns: runs({ usual: 20, nightly: 60 }), endOnFailure: true },
  );
});
