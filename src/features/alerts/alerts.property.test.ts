import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { GuardrailActivityRecord, ScoreRecord, SpanRecord } from '../records/index.ts';
import { emptyScore, emptySpan } from '../records/records.fixture.ts';
import { openAlertsService } from './alerts-service.fixture.ts';
import type { AlertsService } from './alerts-service.fixture.ts';
import { AlertOracle, oracleExpressions } from './alerts.oracle.ts';
import type { OracleCall, OracleCheck, OracleEvents, OracleRule, OracleScore } from './alerts.oracle.ts';

let service: AlertsService;
let project: TestProject;
beforeAll(async () => {
  service = await openAlertsService();
  project = await service.project();
  for (const name of ['p', 'q']) await service.environment(project, name);
  // The first run of the job has no gap before it; every run of this test begins after one.
  await service.evaluate();
});
afterAll(() => service.close());

const minute = 60_000;
const windows = { '5m': 5 * minute, '15m': 15 * minute };
const name = (...names: string[]) => fc.constantFrom(...names);
const environment = name('', 'p', 'q');
const ago = fc.integer({ min: 0, max: 7 * 60_000 });

const call = fc.record({
  ago,
  // The same span again replaces it, with other fields.
  id: fc.integer({ min: 0, max: 12 }),
  // So far apart that no two are rounded alike, for an exact percentile.
  durationMs: fc.option(
    fc.integer({ min: 1, max: 60 }).map((step) => step * 50),
    { freq: 5 },
  ),
  error: fc.boolean(),
  cost: fc.integer({ min: 0, max: 100 }).map((cents) => cents / 100),
  model: name('a', 'b'),
  agent: name('', 'x', 'y'),
  operation: name('chat', 'other'),
  environment,
});
const score = fc.record({
  ago,
  id: fc.integer({ min: 0, max: 12 }),
  ofTrace: fc.boolean(),
  score: fc.integer({ min: 0, max: 10 }).map((value) => value / 2),
  scale: fc.constantFrom([0, 1] as const, [1, 5] as const, null),
  evaluator: name('one', 'two'),
  model: name('a', 'b'),
});
const check = fc.record({
  ago,
  environment,
  results: fc.uniqueArray(fc.record({ guardrail: name('g', 'h'), triggered: fc.boolean() }), {
    selector: ({ guardrail }) => guardrail,
  }),
});
const step = fc.record({
  // Also a gap, and a clock that goes back.
  passed: fc.constantFrom(1, 1, 1, 1, 2, 3, 10, -2),
  calls: fc.array(call, { maxLength: 5 }),
  scores: fc.array(score, { maxLength: 4 }),
  checks: fc.array(check, { maxLength: 3 }),
  person: fc.constantFrom(false, false, false, false, true),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const filterOf = (...fields: ReadonlyArray<readonly [string, readonly string[]]>) =>
  fc.record(
    Object.fromEntries(
      fields.map(([field, names]) => [field, fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 })]),
    ),
    { requiredKeys: [] },
  ) as fc.Arbitrary<Record<string, string[]>>;
const ofCalls = [
  ['models', ['a', 'b']],
  ['agents', ['x', 'y']],
  ['operations', ['chat', 'other']],
] as const;
/** A filter of calls, mostly without an expression. */
const filterOfCalls = fc
  .tuple(filterOf(...ofCalls), fc.option(fc.constantFrom(...Object.keys(oracleExpressions)), { nil: undefined, freq: 2 }))
  .map(([filter, expression]) => (expression === undefined ? filter : { ...filter, expression }));
const common = {
  window: name('5m', '15m'),
  noData: name('keep', 'keep', 'resolve', 'fire'),
  forMinutes: fc.constantFrom(0, 0, 1, 3),
};
const narrowed = {
  ...common,
  minCount: fc.constantFrom(1, 2, 4),
  environment: fc.constantFrom(null, null, 'p'),
  groupBy: fc.constantFrom(null, 'model', 'agent', 'environment'),
};
/** A threshold, and a recovery threshold on its other side. */
const thresholds = (values: readonly number[], lower: boolean) =>
  fc.tuple(fc.constantFrom(...values), fc.constantFrom(...values)).map(([left, right]) => {
    const [threshold, recoveryThreshold] = lower
      ? [Math.min(left, right), Math.max(left, right)]
      : [Math.max(left, right), Math.min(left, right)];
    return { threshold, recoveryThreshold };
  });
const ruleOf = (type: string, limits: fc.Arbitrary<object>, fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.tuple(limits, fc.record(fields)).map(([given, rest]) => ({ type, ...given, ...rest }));
const rules = fc.tuple(
  ruleOf('error-rate', thresholds([0.2, 0.5, 0.7], false), { ...narrowed, filter: filterOfCalls }),
  ruleOf('latency', thresholds([500, 1_500, 2_500], false), { ...narrowed, filter: filterOfCalls }),
  ruleOf('cost', thresholds([0.5, 1, 3], false), { ...narrowed, filter: filterOfCalls }),
  ruleOf('quality', thresholds([0.3, 0.6, 2], true), {
    ...narrowed,
    filter: filterOf(...ofCalls, ['evaluators', ['one', 'two']]),
  }),
  ruleOf('guardrail', thresholds([1, 2, 4], false), {
    ...narrowed,
    groupBy: fc.constantFrom(null, 'environment'),
    filter: filterOf(['guardrails', ['g', 'h']]),
  }),
  ruleOf('ingest-stopped', fc.constant({}), common),
  // Rules of one type are read together, whatever their windows, filters and groups.
  ruleOf('latency', thresholds([500, 1_500], false), { ...narrowed, filter: filterOfCalls }),
  ruleOf('quality', thresholds([0.3, 0.6], true), { ...narrowed, filter: filterOf(...ofCalls) }),
  ruleOf('guardrail', thresholds([1, 2], false), {
    ...narrowed,
    groupBy: fc.constant(null),
    filter: filterOf(['guardrails', ['g']]),
  }),
);

function oracleOf(rule: Record<string, unknown>): AlertOracle {
  const { expression, ...filter } = (rule['filter'] ?? {}) as Record<string, readonly string[]> & { expression?: string };
  const windowMs = windows[rule['window'] as keyof typeof windows];
  const fields = ['models', 'agents', 'operations', 'evaluators', 'guardrails'];
  return new AlertOracle({
    minCount: 1,
    environment: null,
    groupBy: null,
    threshold: windowMs / 1_000,
    recoveryThreshold: windowMs / 1_000,
    ...rule,
    windowMs,
    forMs: (rule['forMinutes'] as number) * minute,
    meets: expression === undefined ? undefined : oracleExpressions[expression],
    ...Object.fromEntries(fields.map((field) => [field, filter[field] ?? null])),
  } as unknown as OracleRule);
}

/** What a history has sent, as the service stores it and as the oracle knows it. */
class History {
  readonly #calls = new Map<string, OracleCall>();
  readonly #scores: OracleScore[] = [];
  readonly #checks: OracleCheck[] = [];
  readonly #run: number;
  #sent = 0;
  newestMs: number | null;

  /** @param newestMs when the newest span of earlier histories arrived */
  constructor(run: number, newestMs: number | null) {
    this.#run = run;
    this.newestMs = newestMs;
  }

  get events(): OracleEvents {
    return { calls: [...this.#calls.values()], scores: this.#scores, checks: this.#checks, newestMs: this.newestMs };
  }

  /** Two calls are one trace. */
  #idsOf(id: number) {
    return { traceId: `t-${this.#run}-${Math.floor(id / 2)}`, spanId: `s-${this.#run}-${id}` };
  }

  span({ ago: before, id, ...given }: Step['calls'][number], nowMs: number): SpanRecord {
    const made = { ...this.#idsOf(id), ...given, startMs: nowMs - before };
    this.#calls.set(made.spanId, made);
    this.newestMs = nowMs;
    const startNs = BigInt(made.startMs) * 1_000_000n;
    const { traceId, spanId, durationMs, error, cost, model, agent, operation } = made;
    const failure = error ? ({ status: 'error', errorCode: 'e' } as const) : {};
    const own = { traceId, spanId, startNs, model, operation, agentName: agent, environment: made.environment, costUsd: cost };
    const endNs = durationMs === null ? null : startNs + BigInt(durationMs) * 1_000_000n;
    return { ...emptySpan, ...own, kind: 'llm', endNs, ...failure };
  }

  score({ ago: before, id, ofTrace, ...given }: Step['scores'][number], nowMs: number): ScoreRecord {
    const { traceId, spanId: scored } = this.#idsOf(id);
    const spanId = ofTrace ? '' : scored;
    const atMs = nowMs - before;
    this.#scores.push({ traceId, spanId, atMs, ...given });
    const [scaleMin, scaleMax] = given.scale ?? [0, 1];
    const scaled = { scaleMin, scaleMax, isQuality: given.scale !== null };
    const { evaluator, model, score: value } = given;
    const scoreId = `score-${this.#run}-${++this.#sent}`;
    return { ...emptyScore, ...scaled, scoreId, traceId, spanId, evaluator, model, score: value, timestampMs: atMs };
  }

  check({ ago: before, environment: own, results }: Step['checks'][number], nowMs: number): GuardrailActivityRecord {
    const atMs = nowMs - before;
    this.#checks.push({ atMs, environment: own, results });
    const none = { flagged: 0, redacted: 0, failed: 0 };
    return {
      activityId: `check-${this.#run}-${String(++this.#sent).padStart(9, '0')}`,
      atMs,
      stage: 'input',
      environment: own,
      ...none,
      checks: 1,
      blocked: Number(results.some(({ triggered }) => triggered)),
      guardrails: results.map(({ guardrail, triggered }) => ({
        ...none,
        guardrail,
        type: 'regex',
        checks: 1,
        blocked: Number(triggered),
        latencies: [],
      })),
    };
  }
}

const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(9)));
let run = 0;
let latest: History | null = null;

test('rules fire, resolve and show the figures as a count of all events does', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.array(step, { minLength: 6, maxLength: 14 }), async (given, steps) => {
      await service.reset(project);
      // A gap, so that earlier runs are not observed; and no earlier event is in a window.
      service.clock.advance(60 * minute);
      const history = (latest = new History(++run, latest?.newestMs ?? null));
      const oracles = new Map<string, AlertOracle>();
      for (const [index, rule] of given.entries()) {
        const { id } = await service.rule(project, { name: `rule ${run} ${index}`, ...rule });
        oracles.set(id, oracleOf(rule));
      }
      const silence = [...oracles.values()].find(({ rule }) => rule.type === 'ingest-stopped');
      for (const [index, { passed, calls, scores, checks, person }] of steps.entries()) {
        service.clock.advance(passed * minute);
        const nowMs = service.clock.now();
        await service.store(project, {
          spans: calls.map((one) => history.span(one, nowMs)),
          scores: scores.map((one) => history.score(one, nowMs)),
          guardrailActivity: checks.map((one) => history.check(one, nowMs)),
        });
        const open = (await service.incidents(project)).filter(({ status }) => status !== 'resolved');
        if (person) {
          for (const { id } of open) await service.as('owner', project, 'PATCH', `/incidents/${id}`, { status: 'resolved' });
          for (const oracle of oracles.values()) oracle.resolveByPerson();
        }
        await service.evaluate();
        // Known to have arrived by now, whatever the clock said then.
        if (silence && history.newestMs !== null) history.newestMs = Math.min(history.newestMs, nowMs);
        silence?.evaluate(history.events, nowMs, false);
        const stopped = (silence?.open.length ?? 0) > 0;
        for (const oracle of oracles.values()) {
          if (oracle !== silence) oracle.evaluate(history.events, nowMs, stopped);
        }
        expect(service.failures).toEqual([]);
        await compare(oracles, { given, steps: steps.slice(0, index + 1) });
      }
    }),
    { numRuns: runs({ usual: 3, nightly: 8 }), endOnFailure: true },
  );
});

async function compare(oracles: ReadonlyMap<string, AlertOracle>, history: unknown): Promise<void> {
  const incidents = await service.incidents(project);
  const { body } = await service.as('viewer', project, 'GET', '/alerts?limit=200');
  for (const { id, type, state, lastValue } of body.alerts) {
    const oracle = oracles.get(id);
    if (!oracle) throw new Error('an unknown rule');
    expect([history, type, state, rounded(lastValue)]).toEqual([history, type, oracle.state, rounded(oracle.value)]);
    const own = incidents
      .filter(({ ruleId }) => ruleId === id)
      .map((incident) => ({
        scope: incident.scope,
        openedMs: Date.parse(incident.openedAt),
        resolution: incident.resolution,
        value: rounded(incident.value),
        peakValue: rounded(incident.peakValue),
      }));
    const expected = oracle.incidents.map(({ scope, openedMs, resolution, value, peakValue }) => ({
      scope,
      openedMs,
      resolution,
      value: rounded(value),
      peakValue: rounded(peakValue),
    }));
    expect([history, type, own.toSorted(byTime)]).toEqual([history, type, expected.toSorted(byTime)]);
  }
}

const keyOf = ({ openedMs, scope }: { openedMs: number; scope: string | null }) => `${openedMs} ${scope ?? ''}`;
const byTime = (left: Parameters<typeof keyOf>[0], right: Parameters<typeof keyOf>[0]) => (keyOf(left) < keyOf(right) ? -1 : 1);
