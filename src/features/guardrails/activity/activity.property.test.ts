import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { runs } from '../../../../test/support/runs.ts';
import { openTestPipeline } from '../../../../test/support/test-pipeline.ts';
import type { GuardrailActivity } from '../../../contract/guardrails.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import { ActivityRecorder } from './activity-recorder.ts';
import { activityOracle } from './activity.oracle.ts';
import type { HappenedCheck, SentReport } from './activity.oracle.ts';
import { readActivity } from './read-activity.ts';
import { reportActivity } from './report-activity.ts';
import { dayMs } from '../../../contract/durations.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);

let clickhouse: ClickHouse;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

const action = fc.constantFrom('allow' as const, 'flag' as const, 'redact' as const, 'block' as const);
// Few moments, so that several checks share one.
const atMs = fc.constantFrom(0, 0, 1, 2, dayMs, 3 * dayMs, 9 * dayMs, 13 * dayMs, 15 * dayMs).map((ago) => nowMs - ago);
const environment = fc.constantFrom('', '', 'production');
const types: Readonly<Record<string, 'pii' | 'secrets' | 'llm_judge'>> = { a: 'pii', b: 'secrets', 'c-1': 'llm_judge' };
const result = fc.record({
  guardrail: fc.constantFrom(...Object.keys(types)),
  action,
  failed: fc.boolean(),
  skipped: fc.boolean(),
  latencyMs: fc.nat({ max: 20_000_000 }).map((microseconds) => microseconds / 1000),
});
const happened: fc.Arbitrary<HappenedCheck & { stage: 'input' | 'output' }> = fc
  .record({
    atMs,
    environment,
    action,
    stage: fc.constantFrom('input' as const, 'output' as const),
    results: fc.uniqueArray(result, { selector: ({ guardrail }) => guardrail, maxLength: 3 }),
  })
  .map((check) => ({
    ...check,
    results: check.results.map((one) => ({ ...one, failed: one.failed && !one.skipped, type: types[one.guardrail] ?? '' })),
  }));
const count = fc.nat({ max: 20 });
const report: fc.Arbitrary<SentReport> = fc
  .record({
    reportId: fc.constantFrom('r1', 'r2', 'r3'),
    guardrail: fc.constantFrom('a', 'gone'),
    atMs: atMs.filter((at) => at > nowMs - 14 * dayMs),
    environment,
    flagged: count,
    redacted: count,
    blocked: count,
    allowed: count,
  })
  .map(({ allowed, ...counts }) => ({
    ...counts,
    failed: allowed,
    checks: allowed + counts.flagged + counts.redacted + counts.blocked,
  }));
const range = fc.oneof(
  fc.constant({ query: { range: '30d' as const }, fromMs: nowMs - 14 * dayMs, toMs: nowMs }),
  fc.tuple(atMs, atMs).map(([one, other]) => {
    const [fromMs, toMs] = [Math.min(one, other), Math.max(one, other) + 1];
    return { query: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }, fromMs, toMs };
  }),
);

/** An activity without latencies, which are rounded. */
const counted = ({ byGuardrail, ...activity }: GuardrailActivity) => ({
  ...activity,
  byGuardrail: byGuardrail.map((row) => ({ ...row, p95LatencyMs: row.p95LatencyMs === null ? null : 0 })),
});

test('the activity is what a count of all checks and reports one by one gives', { timeout: 120_000 }, async () => {
  const clock = new ManualClock(nowMs);
  const pipeline = await openTestPipeline(clickhouse, clock);
  await fc.assert(
    fc.asyncProperty(
      fc.array(happened, { maxLength: 20 }),
      fc.array(report, { maxLength: 6 }),
      range,
      async (checks, reports, asked) => {
        const tenant = { projectId: randomUUID(), organizationId: randomUUID(), plan: 'free' as const };
        const lost: unknown[] = [];
        const recorder = new ActivityRecorder({ pipeline, onLost: (one) => lost.push(one) });
        for (const [index, { results, ...check }] of checks.entries()) {
          const sent = results.map(({ failed, skipped, type, ...one }) => ({
            ...one,
            type: type as 'pii',
            triggered: one.action !== 'allow',
            matches: [],
            reason: null,
            ...(failed ? { failed } : {}),
            ...(skipped ? { skipped } : {}),
          }));
          recorder.add(tenant, { ...check, outcome: { action: check.action, results: sent }, isCounted: true }, null);
          if (index % 7 === 3) await recorder.flush();
        }
        await recorder.close();
        const policies = {
          get: () =>
            Promise.resolve({
              ...tenant,
              revision: 0,
              guardrails: [],
              environments: new Set<string>(),
              configLength: 0,
              compiledSize: 0,
            }),
        };
        for (const { atMs: at, environment: name, ...one } of reports) {
          const body = { ...one, stage: 'input', at: new Date(at).toISOString(), ...(name === '' ? {} : { environment: name }) };
          expect(await reportActivity({ clock, pipeline, policies }, tenant, [body])).toEqual({ accepted: 1, rejected: [] });
        }
        await pipeline.drain();
        expect(lost).toEqual([]);
        const retained = { fromMs: Math.max(asked.fromMs, nowMs - 14 * dayMs), toMs: asked.toMs };
        const expected = activityOracle(checks, reports, retained);
        const read = await readActivity({ clickhouse, clock, policies }, tenant, asked.query);
        expect(counted(read)).toEqual(counted(expected));
        for (const [index, row] of read.byGuardrail.entries()) {
          const exact = expected.byGuardrail[index]?.p95LatencyMs ?? 0;
          expect(Math.abs((row.p95LatencyMs ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.004);
        }
      },
    ),
    { numRuns: runs({ usual: 12, nightly: 100 }), endOnFailure: true },
  );
  await pipeline.close();
});
