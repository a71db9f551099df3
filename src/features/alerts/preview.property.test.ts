import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { alertWindows } from '../../contract/alerts.ts';
import type { AlertPreview } from '../../contract/alerts.ts';
import { emptyScore, emptySpan } from '../records/records.fixture.ts';
import { openAlertsService } from './alerts-service.fixture.ts';
import type { AlertsService } from './alerts-service.fixture.ts';
import { AlertOracle, oracleExpressions } from './alerts.oracle.ts';
import type { OracleCall, OracleRule, OracleScore } from './alerts.oracle.ts';
import { hourMs } from '../../contract/durations.ts';

let service: AlertsService;
beforeAll(async () => {
  service = await openAlertsService();
});
afterAll(() => service.close());

const stepsOf = { scale: 30 * 24 + 1, free: 14 * 24 + 1 };
const call = fc.record({
  // Of the last two days, with many in the same window; or before the retention of the plan free.
  startMs: fc.oneof(
    fc.integer({ min: 0, max: 40 * hourMs }),
    fc.integer({ min: 0, max: 4 * hourMs }),
    // Where a window ends and the next one begins.
    fc.integer({ min: 0, max: 40 }).map((hours) => hours * hourMs),
    fc.integer({ min: 13 * 24 * hourMs, max: 15 * 24 * hourMs }),
  ),
  // Far from the thresholds: percentiles of a preview are of rounded durations.
  durationMs: fc.option(fc.constantFrom(100, 400, 900, 2_000, 4_000), { freq: 5 }),
  error: fc.boolean(),
  cost: fc.integer({ min: 0, max: 100 }).map((cents) => cents / 100),
  agent: fc.constantFrom('', 'x', 'y'),
  // Of the call, or of its trace.
  score: fc.option(fc.record({ ofTrace: fc.boolean(), score: fc.constantFrom(0, 0.25, 0.75, 1) })),
});
const rule = fc.record({
  limits: fc.constantFrom(
    { type: 'error-rate', threshold: 0.5, recoveryThreshold: 0.3 },
    { type: 'latency', threshold: 500, recoveryThreshold: 200 },
    { type: 'latency', threshold: 1_500, recoveryThreshold: 1_500 },
    { type: 'cost', threshold: 1, recoveryThreshold: 0.5 },
    { type: 'quality', threshold: 0.4, recoveryThreshold: 0.6 },
    { type: 'quality', threshold: 0.6, recoveryThreshold: 0.6 },
  ),
  agents: fc.constantFrom(null, null, ['x']),
  // For rules over calls.
  expression: fc.option(fc.constantFrom(...Object.keys(oracleExpressions)), { nil: undefined }),
  window: fc.constantFrom(...(['5m', '30m', '1h', '6h', '24h'] as const)),
  noData: fc.constantFrom('keep', 'keep', 'resolve', 'fire'),
  forMinutes: fc.constantFrom(0, 0, 60, 90),
  minCount: fc.constantFrom(1, 2),
  groupBy: fc.constantFrom(null, 'agent'),
});
const everything = { models: null, agents: null, operations: null, evaluators: null, guardrails: null, environment: null };

function expectedOf(
  given: OracleRule,
  { calls, scores }: { calls: OracleCall[]; scores: OracleScore[] },
  toMs: number,
  steps: number,
): AlertPreview['wouldHaveFired'] {
  const oracle = new AlertOracle(given, { gapMs: hourMs, always: true });
  const resolved = new Map<unknown, number>();
  for (let ago = steps - 1; ago >= 0; ago--) {
    const atMs = toMs - ago * hourMs;
    const open = new Set(oracle.open);
    oracle.evaluate({ calls, scores, checks: [], newestMs: null }, atMs, false);
    for (const incident of open) if (incident.resolution !== null) resolved.set(incident, atMs);
  }
  const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
  return oracle.incidents.map((incident) => ({
    at: new Date(incident.openedMs).toISOString(),
    resolvedAt: iso(resolved.get(incident)),
    scope: incident.scope,
    value: incident.firstValue,
  }));
}

/** Percentiles are rounded. */
const comparable = (fired: AlertPreview['wouldHaveFired']) =>
  fired
    .map((one) => ({ ...one, value: one.value === null ? null : Number(one.value.toPrecision(2)) }))
    .toSorted((left, right) => (left.at + left.scope < right.at + right.scope ? -1 : 1));

let made = 0;

test('a preview is what evaluating every hour gives', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('scale' as const, 'free' as const),
      fc.array(call, { maxLength: 25 }),
      fc.array(rule, { minLength: 1, maxLength: 3 }),
      async (plan, given, rules) => {
        const project = await service.project(plan);
        const toMs = service.clock.now();
        const calls = given.map((one, index): OracleCall => ({
          ...one,
          startMs: toMs - one.startMs,
          // Two recent calls are one trace.
          traceId: one.startMs <= 40 * hourMs ? `t${project.projectId}-${index >> 1}` : `t${++made}`,
          spanId: `s${++made}`,
          model: 'm',
          operation: '',
          environment: '',
        }));
        const scores = given.flatMap(({ score }, index): OracleScore[] => {
          const scored = calls[index];
          if (!score || !scored) return [];
          const { traceId, spanId, startMs: atMs, model } = scored;
          return [
            { traceId, spanId: score.ofTrace ? '' : spanId, atMs, score: score.score, scale: [0, 1], evaluator: 'e', model },
          ];
        });
        await service.store(project, {
          scores: scores.map(({ traceId, spanId, score, evaluator, model, atMs }) => ({
            ...emptyScore,
            scoreId: `score-${++made}`,
            traceId,
            spanId,
            score,
            evaluator,
            model,
            timestampMs: atMs,
            scaleMin: 0,
            scaleMax: 1,
            isQuality: true,
          })),
          spans: calls.map(({ traceId, spanId, startMs, durationMs, error, cost, agent, model }) => ({
            ...emptySpan,
            traceId,
            spanId,
            model,
            costUsd: cost,
            agentName: agent,
            kind: 'llm' as const,
            startNs: BigInt(startMs) * 1_000_000n,
            endNs: durationMs === null ? null : BigInt(startMs + durationMs) * 1_000_000n,
            ...(error ? ({ status: 'error', errorCode: 'e' } as const) : {}),
          })),
        });
        for (const { limits, window, forMinutes, agents, expression: drawn, ...fields } of rules) {
          const expression = limits.type === 'quality' ? undefined : drawn;
          const filter = { ...(agents ? { agents } : {}), ...(expression === undefined ? {} : { expression }) };
          const body = { name: 'rule', ...limits, window, forMinutes, ...fields, filter };
          const answer = await service.as('member', project, 'POST', '/alerts/preview', body);
          expect(answer.status, answer.text).toBe(200);
          const windowMs = alertWindows[window];
          const steps = plan === 'scale' ? stepsOf.scale : stepsOf.free - Math.ceil(windowMs / hourMs);
          const from = new Date(toMs - (steps - 1) * hourMs).toISOString();
          expect([answer.body.from, answer.body.to]).toEqual([from, new Date(toMs).toISOString()]);
          const meets = expression === undefined ? undefined : oracleExpressions[expression];
          const given = { ...everything, ...limits, ...fields, agents, meets };
          const oracleRule = { ...given, windowMs, forMs: forMinutes * 60_000 } as OracleRule;
          const expected = expectedOf(oracleRule, { calls, scores }, toMs, steps);
          expect([body, comparable(answer.body.wouldHaveFired)]).toEqual([body, comparable(expected)]);
        }
      },
    ),
    { numRuns: runs({ usual: 6, nightly: 12 }), endOnFailure: true },
  );
});
