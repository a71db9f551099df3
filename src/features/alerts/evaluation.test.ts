import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { SpanRecord } from '../records/index.ts';
import { emptyScore, emptySpan } from '../records/records.fixture.ts';
import { openAlertsService } from './alerts-service.fixture.ts';
import type { AlertsService } from './alerts-service.fixture.ts';

let service: AlertsService;
beforeAll(async () => {
  service = await openAlertsService();
});
afterAll(() => service.close());

const minute = 60_000;
let made = 0;
const ns = (ms: number) => BigInt(Math.round(ms * 1_000)) * 1_000n;

/** Calls that started now, of one trace each. */
function calls(count: number, given: Partial<SpanRecord> & { durationMs?: number } = {}): SpanRecord[] {
  const { durationMs = 100, ...fields } = given;
  const startNs = ns(service.clock.now());
  return Array.from({ length: count }, () => {
    const id = ++made;
    const span = { ...emptySpan, traceId: `t${id}`, spanId: `s${id}`, kind: 'llm' as const, model: 'gpt-4o', startNs };
    return { ...span, endNs: startNs + ns(durationMs), ...fields };
  });
}
const failed = { status: 'error', errorCode: 'timeout' } as const;
/** Evaluates after a minute. */
async function after(minutes = 1) {
  service.clock.advance(minutes * minute);
  await service.evaluate();
  expect(service.failures).toEqual([]);
}
const errorRate = { type: 'error-rate', threshold: 0.5, window: '5m', minCount: 2 };
const statesOf = async (project: TestProject) => (await service.incidents(project)).map(({ status }) => status);

describe('error-rate', () => {
  test('opens an incident, updates it, and resolves it after two evaluations without the condition', async () => {
    const project = await service.project();
    const rule = await service.rule(project, {
      ...errorRate,
      name: 'errors',
      channels: [{ type: 'email', to: ['a@example.com'] }],
    });
    expect(rule).toMatchObject({ state: 'ok', recoveryThreshold: 0.5, lastEvaluatedAt: null, noData: 'keep' });
    await service.store(project, { spans: [...calls(1), ...calls(2, failed)] });
    await service.evaluate();
    const [opened] = await service.incidents(project);
    expect(opened).toMatchObject({
      ruleId: rule.id,
      ruleName: 'errors',
      type: 'error-rate',
      scope: null,
      status: 'open',
      threshold: 0.5,
      openedAt: new Date(service.clock.now()).toISOString(),
      summary: '66.67% of the calls failed in the last 5 minutes; the threshold is 50%.',
      events: [{ kind: 'opened', by: 'system' }],
    });
    expect(opened?.value).toBeCloseTo(2 / 3);
    expect(opened?.sampleTraceIds).toHaveLength(2);
    expect(await service.getRule(project, rule.id)).toMatchObject({ state: 'firing', lastError: null });
    await service.store(project, { spans: calls(3, failed) });
    await after();
    expect((await service.incidents(project))[0]?.peakValue).toBeCloseTo(5 / 6);
    await service.store(project, { spans: calls(20) });
    await after();
    expect(await service.getRule(project, rule.id)).toMatchObject({ state: 'firing' });
    await after();
    const [resolved] = await service.incidents(project);
    expect(resolved).toMatchObject({ status: 'resolved', resolution: 'recovered', resolvedBy: 'system' });
    expect(resolved?.peakValue).toBeCloseTo(5 / 6);
    expect(await service.getRule(project, rule.id)).toMatchObject({ state: 'ok' });
    expect(service.channels.sent.filter(({ ruleId }) => ruleId === rule.id).map(({ type }) => type)).toEqual([
      'incident.opened',
      'incident.resolved',
    ]);
  });

  test('keeps an incident open without data; with resolve it ends as no_data', async () => {
    const project = await service.project();
    const kept = await service.rule(project, { ...errorRate, name: 'kept' });
    const ended = await service.rule(project, { ...errorRate, name: 'ended', noData: 'resolve' });
    await service.store(project, { spans: calls(3, failed) });
    await service.evaluate();
    for (let minutes = 0; minutes < 12; minutes += 1) await after();
    const incidents = await service.incidents(project);
    expect(incidents.find(({ ruleId }) => ruleId === kept.id)).toMatchObject({ status: 'open', resolution: null });
    expect(incidents.find(({ ruleId }) => ruleId === ended.id)).toMatchObject({ status: 'resolved', resolution: 'no_data' });
    expect(await service.getRule(project, kept.id)).toMatchObject({ state: 'firing' });
  });

  test('opens the same incident again within 15 minutes of its end, a new one later or after a person', async () => {
    const project = await service.project();
    const rule = await service.rule(project, {
      ...errorRate,
      name: 'flapping',
      channels: [{ type: 'email', to: ['a@example.com'] }],
    });
    const fails = async (count: number) => {
      await service.store(project, { spans: calls(count, failed) });
      await service.evaluate();
    };
    const ends = async () => {
      await service.store(project, { spans: calls(60) });
      await after();
      await after();
    };
    await fails(9);
    const [first] = await service.incidents(project);
    await ends();
    expect(await service.incidents(project)).toMatchObject([{ id: first?.id, status: 'resolved' }]);
    service.clock.advance(6 * 60_000);
    await service.evaluate();
    await fails(3);
    const [again, ...others] = await service.incidents(project);
    expect(others).toEqual([]);
    expect(again).toMatchObject({
      id: first?.id,
      status: 'open',
      openedAt: first?.openedAt,
      resolvedAt: null,
      resolvedBy: null,
      resolution: null,
      peakValue: 1,
      events: [{ kind: 'opened' }, { kind: 'resolved' }, { kind: 'reopened', by: 'system' }],
    });
    expect(service.channels.sent.filter(({ ruleId }) => ruleId === rule.id).map(({ type }) => type)).toEqual([
      'incident.opened',
      'incident.resolved',
      'incident.reopened',
    ]);
    await ends();
    service.clock.advance(16 * 60_000);
    await service.evaluate();
    await fails(3);
    expect(await service.incidents(project)).toHaveLength(2);
  });

  test.each([{ threshold: 0.4 }, { environment: 'prod' }, { type: 'latency', threshold: 50, minCount: 2 }])(
    'opens a new incident after the rule was changed to %j',
    async (change) => {
      const project = await service.project();
      await service.environment(project, 'prod');
      const rule = await service.rule(project, { ...errorRate, name: 'changed' });
      const store = (count: number, given = {}) =>
        service.store(project, { spans: calls(count, { environment: 'prod', ...given }) });
      await store(9, failed);
      await service.evaluate();
      await store(60);
      await after();
      await after();
      expect((await service.as('member', project, 'PATCH', `/alerts/${rule.id}`, change)).status).toBe(200);
      await store(90, failed);
      await after();
      expect((await service.incidents(project)).map(({ status, type }) => [status, type])).toEqual([
        ['resolved', 'error-rate'],
        ['open', change.type ?? 'error-rate'],
      ]);
    },
  );

  test('with a group has an incident for each scope', async () => {
    const project = await service.project();
    await service.rule(project, { ...errorRate, name: 'by model', groupBy: 'model' });
    await service.store(project, {
      spans: [...calls(3), ...calls(3, { ...failed, model: 'b' }), ...calls(3, { ...failed, model: 'a' })],
    });
    await service.evaluate();
    expect((await service.incidents(project)).map(({ scope }) => scope).toSorted()).toEqual(['a', 'b']);
  });
});

describe('each type', () => {
  test('latency', async () => {
    const project = await service.project();
    const rule = await service.rule(project, {
      type: 'latency',
      threshold: 1_000,
      name: 'slow',
      minCount: 3,
      filter: { agents: ['a'] },
    });
    await service.store(project, {
      spans: [
        ...calls(19, { agentName: 'a', durationMs: 1_001 }),
        ...calls(1, { agentName: 'a', durationMs: 9_000 }),
        ...calls(30),
      ],
    });
    await service.evaluate();
    expect(await service.getRule(project, rule.id)).toMatchObject({ state: 'firing', lastValue: 1_001 });
  });

  test('latency of many durations is at most 0.8 % above the one at the rank', async () => {
    const project = await service.project();
    const rule = await service.rule(project, { type: 'latency', threshold: 1, name: 'slow' });
    await service.store(project, { spans: Array.from({ length: 100 }, (_, at) => calls(1, { durationMs: 1_000 + at })).flat() });
    await service.evaluate();
    const { lastValue } = await service.getRule(project, rule.id);
    const atRank = 1_094;
    expect(lastValue).toBeGreaterThanOrEqual(atRank);
    expect(lastValue).toBeLessThanOrEqual(atRank * 1.008);
  });

  test('cost', async () => {
    const project = await service.project();
    const rule = await service.rule(project, { type: 'cost', threshold: 0.25, name: 'dear' });
    await service.store(project, { spans: calls(3, { costUsd: 0.1 }) });
    await service.evaluate();
    expect(await service.getRule(project, rule.id)).toMatchObject({ state: 'firing', lastValue: 0.3 });
  });

  test('quality, of scores by their agents and environments', async () => {
    const project = await service.project();
    const spans = calls(3, { agentName: 'a', environment: 'production' });
    await service.environment(project, 'production');
    const score = (spanId: string, traceId: string, value: number, evaluator: string) => ({
      ...emptyScore,
      scoreId: `score-${++made}`,
      spanId,
      traceId,
      evaluator,
      score: value,
      timestampMs: service.clock.now(),
    });
    await service.store(project, { spans });
    service.clock.advance(120 * minute);
    const scores = spans.map(({ spanId, traceId }) => score(spanId, traceId, 0.2, 'one'));
    await service.store(project, {
      scores: [...scores, score('', 't-else', 1, 'one'), score('', spans[0]?.traceId ?? '', 0.8, 'two')],
    });
    const rules = await Promise.all(
      [
        { filter: {} },
        { filter: { evaluators: ['two'] }, minCount: 1 },
        { filter: { agents: ['a'] } },
        { environment: 'production', groupBy: 'environment', minCount: 2 },
        { filter: { agents: ['other'] } },
      ].map((given, index) =>
        service.rule(project, { type: 'quality', threshold: 0.5, minCount: 3, name: `quality ${index}`, ...given }),
      ),
    );
    await service.evaluate();
    expect(service.failures).toEqual([]);
    const read = await Promise.all(rules.map(({ id }) => service.getRule(project, id)));
    expect(read.map(({ state, lastValue }) => [state, lastValue])).toEqual([
      ['firing', 0.48],
      ['ok', 0.8],
      ['firing', 0.35],
      ['firing', 0.35],
      ['no_data', null],
    ]);
  });

  test('quality, of scores by calls of other days, also where the trace began before the retention', async () => {
    const project = await service.project('free');
    const day = 24 * 60 * minute;
    const call = (agentName: string) => calls(1, { traceId: 'long', agentName });
    await service.store(project, { spans: call('expired') });
    service.clock.advance(10 * day);
    await service.store(project, { spans: call('retained') });
    service.clock.advance(5 * day);
    const score = { ...emptyScore, scoreId: 'long', traceId: 'long', score: 0.2, timestampMs: service.clock.now() };
    await service.store(project, { scores: [score] });
    const [expired, retained] = await Promise.all(
      ['expired', 'retained'].map((agent) =>
        service.rule(project, { type: 'quality', threshold: 0.5, minCount: 1, name: agent, filter: { agents: [agent] } }),
      ),
    );
    await service.evaluate();
    expect(await service.getRule(project, retained?.id ?? '')).toMatchObject({ state: 'firing', lastValue: 0.2 });
    expect(await service.getRule(project, expired?.id ?? '')).toMatchObject({ state: 'no_data', lastError: null });
  });

  test('ingest-stopped', async () => {
    const project = await service.project();
    const rule = await service.rule(project, { type: 'ingest-stopped', window: '5m', name: 'silence' });
    await service.evaluate();
    expect(await service.getRule(project, rule.id)).toMatchObject({ state: 'no_data', threshold: null });
    await service.store(project, { spans: calls(1) });
    for (let passed = 0; passed < 5; passed++) await after();
    expect(await service.getRule(project, rule.id)).toMatchObject({ state: 'ok', lastValue: 300 });
    await after();
    expect(await service.getRule(project, rule.id)).toMatchObject({ state: 'firing', lastValue: 360 });
    await service.store(project, { spans: calls(1) });
    await after();
    await after();
    expect(await statesOf(project)).toEqual(['resolved']);
  });
});

describe('the evaluation', () => {
  const silent = { type: 'cost', threshold: 1, noData: 'fire' };

  test('keeps its states over a restart, and two processes open an incident once', async () => {
    const project = await service.project();
    const rule = await service.rule(project, { ...errorRate, name: 'errors', forMinutes: 2 });
    await service.store(project, { spans: calls(3, failed) });
    await service.evaluate();
    service.clock.advance(minute);
    await service.evaluate(service.another());
    expect(await service.incidents(project)).toEqual([]);
    service.clock.advance(minute);
    const others = [service.another(), service.another(), service.feature];
    await Promise.all(others.map((one) => service.evaluate(one)));
    expect(await statesOf(project)).toEqual(['open']);
    await service.evaluate(service.another());
    expect(await statesOf(project)).toEqual(['open']);
    expect(await service.getRule(project, rule.id)).toMatchObject({ state: 'firing', lastError: null });
    expect(service.failures).toEqual([]);
  });

  test('takes time in which it did not run neither for a silence nor for lack of data', async () => {
    const project = await service.project();
    await service.store(project, { spans: calls(1) });
    const silence = await service.rule(project, { type: 'ingest-stopped', window: '5m', name: 'silence' });
    const lack = await service.rule(project, { ...silent, window: '5m', name: 'lack' });
    await after();
    service.clock.advance(24 * 60 * minute);
    const states = async () => [silence, lack].map(async ({ id }) => (await service.getRule(project, id)).state);
    for (let passed = 0; passed < 5; passed++) {
      await after();
      expect(await Promise.all(await states())).toEqual(['ok', 'no_data']);
    }
    await after();
    // Lack of data was seen for the whole window; while spans do not arrive it says nothing.
    expect(await Promise.all(await states())).toEqual(['ok', 'firing']);
    await after();
    expect(await Promise.all(await states())).toEqual(['firing', 'firing']);
    service.clock.advance(24 * 60 * minute);
    await after();
    await after();
    await after();
    expect(await Promise.all(await states())).toEqual(['firing', 'firing']);
  });

  test('of other rules does not fire for lack of data while ingestion has stopped', async () => {
    const project = await service.project();
    await service.rule(project, { type: 'ingest-stopped', window: '5m', noData: 'fire', name: 'silence' });
    const lack = await service.rule(project, { ...silent, window: '5m', name: 'lack' });
    for (let passed = 0; passed < 7; passed++) await after();
    expect(await service.getRule(project, lack.id)).toMatchObject({ state: 'no_data' });
    expect((await service.incidents(project)).map(({ type }) => type)).toEqual(['ingest-stopped']);
  });

  test('that fails keeps the state and says so, and the others are evaluated', async () => {
    const [first, second] = [await service.project(), await service.project()];
    const broken = await service.rule(first, { ...errorRate, name: 'broken' });
    const sound = await service.rule(second, { ...errorRate, name: 'sound' });
    const rules = service.db;
    await rules.updateTable('alert_rules').set({ filter: '{' }).where('id', '=', broken.id).execute();
    await service.evaluate();
    expect(service.failures.splice(0)).toHaveLength(1);
    expect(await service.getRule(second, sound.id)).toMatchObject({ state: 'no_data', lastError: null });
    await rules.updateTable('alert_rules').set({ filter: '{}' }).where('id', '=', broken.id).execute();
    const failing = await service.getRule(first, broken.id);
    expect(failing).toMatchObject({ state: 'ok', lastEvaluatedAt: null });
    expect(failing.lastError).toBe('The evaluation failed; the log of the service says why.');
    await service.evaluate();
    expect(await service.getRule(first, broken.id)).toMatchObject({ state: 'no_data', lastError: null });
    const counted = await service.metrics.registry.getSingleMetricAsString('spanwise_alert_evaluations_total');
    expect(counted).toContain('result="failed"} 1');
  });

  test('stops when it is aborted', async () => {
    const project = await service.project();
    const rule = await service.rule(project, { ...errorRate, name: 'errors' });
    for (const job of service.feature.jobs ?? []) await job.run(AbortSignal.abort());
    expect((await service.getRule(project, rule.id)).lastEvaluatedAt).toBeNull();
  });

  test('keeps at most 50 scopes, the worst first and those that fire', async () => {
    const project = await service.project();
    await service.rule(project, { type: 'cost', threshold: 0.5, name: 'by model', groupBy: 'model', window: '5m' });
    await service.store(project, { spans: calls(1, { model: 'first', costUsd: 0.6 }) });
    await service.evaluate();
    const spans = Array.from({ length: 60 }, (_, index) => calls(1, { model: `m${index}`, costUsd: 1 + index })).flat();
    await service.store(project, { spans });
    await service.evaluate();
    const scopes = (await service.incidents(project)).map(({ scope }) => scope);
    const worst = Array.from({ length: 49 }, (_, index) => `m${59 - index}`);
    expect(scopes.toSorted()).toEqual(['first', ...worst].toSorted());
  });
});

describe('sample traces', () => {
  const sampled = async (rule: object, spans: SpanRecord[]) => {
    const project = await service.project();
    await service.rule(project, { name: 'sampled', ...rule });
    await service.store(project, { spans });
    await service.evaluate();
    return (await service.incidents(project)).map(({ sampleTraceIds }) => sampleTraceIds);
  };

  test('are those with the most failed calls', async () => {
    const [often, once] = [calls(2, { ...failed, traceId: 'often' }), calls(1, { ...failed, traceId: 'once' })];
    expect(await sampled(errorRate, [...calls(1), ...once, ...often])).toEqual([['often', 'once']]);
  });

  test('are the slowest, at most 20', async () => {
    const spans = Array.from({ length: 25 }, (_, index) => calls(1, { traceId: `t${index}`, durationMs: 1_000 + index })).flat();
    const slowest = Array.from({ length: 20 }, (_, index) => `t${24 - index}`);
    expect(await sampled({ type: 'latency', threshold: 10 }, spans)).toEqual([slowest]);
  });

  test('are the most expensive', async () => {
    const spans = [
      calls(1, { traceId: 'a', costUsd: 1 }),
      calls(1, { traceId: 'b', costUsd: 2 }),
      calls(1, { traceId: 'c' }),
    ].flat();
    expect(await sampled({ type: 'cost', threshold: 1 }, spans)).toEqual([['b', 'a']]);
  });

  test('of a window whose figure is worse than before come first, and few are filled up in the first hour', async () => {
    const project = await service.project();
    await service.rule(project, { ...errorRate, name: 'growing' });
    const failing = (traceId: string, count = 2) => calls(count, { ...failed, traceId });
    const samples = async () => (await service.incidents(project))[0]?.sampleTraceIds;
    await service.store(project, { spans: [...calls(1), ...failing('first')] });
    await service.evaluate();
    expect(await samples()).toEqual(['first']);
    // 4 of 6 calls, as bad as before.
    await after();
    await service.store(project, { spans: [...calls(1), ...failing('second')] });
    await service.evaluate();
    expect(await samples()).toEqual(['second', 'first']);
    service.clock.advance(3_600_000);
    await service.store(project, { spans: [...calls(1), ...failing('late')] });
    await service.evaluate();
    expect(await samples()).toEqual(['second', 'first']);
    await service.store(project, { spans: failing('worst', 20) });
    await service.evaluate();
    expect(await samples()).toEqual(['worst', 'late', 'second', 'first']);
  });

  test('of a rule that counts failures are those of checks in which a guardrail could not run', async () => {
    const project = await service.project();
    await service.rule(project, {
      type: 'guardrail',
      threshold: 1,
      name: 'checks',
      count: 'failed',
      filter: { guardrails: ['g'] },
    });
    const output = (failed: boolean) =>
      JSON.stringify({ action: 'block', results: [{ guardrail: 'g', action: 'block', failed }] });
    const check = (traceId: string, failed: boolean) =>
      calls(1, { traceId, kind: 'guardrail', model: '', output: output(failed) })[0];
    const counts = { flagged: 0, redacted: 0, checks: 3, blocked: 3, failed: 1 };
    const row = { activityId: 'one', atMs: service.clock.now(), stage: 'input' as const, environment: '' };
    await service.store(project, {
      spans: [check('caught', false), check('away', true)].filter((span) => span !== undefined),
      guardrailActivity: [{ ...row, ...counts, guardrails: [{ ...counts, guardrail: 'g', type: 'regex', latencies: [] }] }],
    });
    await service.evaluate();
    expect(await service.incidents(project)).toMatchObject([
      { value: 1, sampleTraceIds: ['away'], summary: expect.stringContaining('could not run on 1 check') as string },
    ]);
  });

  test('are those of triggered checks', async () => {
    const project = await service.project();
    await service.rule(project, { type: 'guardrail', threshold: 1, name: 'checks', filter: { guardrails: ['g'] } });
    const output = (action: string, guardrail: string) => JSON.stringify({ action, results: [{ guardrail, action }] });
    const check = (traceId: string, action: string, guardrail: string) =>
      calls(1, { traceId, kind: 'guardrail', model: '', output: output(action, guardrail) })[0];
    const spans = [check('hit', 'block', 'g'), check('other', 'block', 'h'), check('allowed', 'allow', 'g')];
    const none = { flagged: 0, redacted: 0, failed: 0 };
    await service.store(project, {
      spans: spans.filter((span) => span !== undefined),
      guardrailActivity: [
        {
          ...none,
          activityId: 'one',
          atMs: service.clock.now(),
          stage: 'input',
          environment: '',
          checks: 3,
          blocked: 2,
          guardrails: [{ ...none, guardrail: 'g', type: 'regex', checks: 2, blocked: 1, latencies: [] }],
        },
      ],
    });
    await service.evaluate();
    expect(await service.incidents(project)).toMatchObject([{ value: 1, sampleTraceIds: ['hit'] }]);
  });
});
