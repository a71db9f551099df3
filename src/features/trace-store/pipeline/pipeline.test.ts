import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { simulationMark } from '../../../contract/kinds.ts';
import { storedScores, storedSpans } from '../derivation/stored-headers.ts';
import { guardrailActivity } from '../tables/guardrail-activity.ts';
import { derivedState, organizationId, rig, score, span, startMs } from './pipeline-rig.fixture.ts';

let clickhouse: ClickHouse;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

describe('accepted events become rows', () => {
  test('a re-sent span that moved to another day no longer counts in its old hour', async () => {
    const { pipeline, tenant, marked } = await rig(clickhouse);
    const call = { traceId: 't1', spanId: 'a', kind: 'llm', model: 'm' } as const;
    await pipeline.accept(tenant, { spans: [span(call)], scores: [] }, 1);
    await pipeline.drain();
    const dayEarlier = BigInt(startMs - 86_400_000) * 1_000_000n;
    await pipeline.accept(tenant, { spans: [span({ ...call, startNs: dayEarlier })], scores: [] }, 1);
    await pipeline.drain();
    const { calls, traces } = await derivedState(clickhouse, tenant.projectId);
    expect(calls.map((row) => row['hour'])).toEqual([(startMs - 86_400_000) / 1000]);
    expect(traces).toHaveLength(1);
    expect(new Set(marked.map(({ hour }) => hour))).toEqual(new Set([startMs / 1000, (startMs - 86_400_000) / 1000]));
    await pipeline.close();
  });

  test('an agent that arrives after its children becomes their agent, and an outer span is no longer a call', async () => {
    const { pipeline, tenant } = await rig(clickhouse);
    const inner = span({
      traceId: 't1',
      spanId: 'in',
      parentSpanId: 'out',
      kind: 'llm',
      model: 'm',
      inputTokens: 5,
      source: 'otlp',
    });
    await pipeline.accept(tenant, { spans: [inner], scores: [] }, 1);
    await pipeline.drain();
    const outer = span({
      traceId: 't1',
      spanId: 'out',
      parentSpanId: 'ag',
      kind: 'llm',
      model: 'm',
      inputTokens: 5,
      source: 'otlp',
    });
    const agent = span({ traceId: 't1', spanId: 'ag', kind: 'agent', agentName: 'planner', source: 'otlp' });
    await pipeline.accept(tenant, { spans: [outer, agent], scores: [] }, 2);
    await pipeline.drain();
    const { calls } = await derivedState(clickhouse, tenant.projectId);
    expect(calls).toMatchObject([{ span_id: 'in', agent_name: 'planner', operation: 'llm' }]);
    await pipeline.close();
  });

  test('a score that arrives before its span counts once the span has arrived', async () => {
    const { pipeline, tenant } = await rig(clickhouse);
    await pipeline.accept(tenant, { spans: [], scores: [score({ spanId: 'a' })] }, 1);
    await pipeline.drain();
    expect((await derivedState(clickhouse, tenant.projectId)).quality).toMatchObject([{ model: '' }]);
    await pipeline.accept(tenant, { spans: [span({ traceId: 't1', spanId: 'a', kind: 'llm', model: 'm' })], scores: [] }, 1);
    await pipeline.drain();
    expect((await derivedState(clickhouse, tenant.projectId)).quality).toMatchObject([{ model: 'm' }]);
    await pipeline.close();
  });

  test('a score that moves to another trace counts only there', async () => {
    const { pipeline, tenant } = await rig(clickhouse);
    const spans = [
      span({ traceId: 't1', spanId: 'a', kind: 'llm', model: 'm1' }),
      span({ traceId: 't2', spanId: 'b', kind: 'llm', model: 'm2' }),
    ];
    await pipeline.accept(tenant, { spans, scores: [score({})] }, 3);
    await pipeline.drain();
    await pipeline.accept(tenant, { spans: [], scores: [score({ traceId: 't2' })] }, 1);
    await pipeline.drain();
    const { quality } = await derivedState(clickhouse, tenant.projectId);
    expect(quality).toMatchObject([{ score_id: 's1', trace_id: 't2', model: 'm2' }]);
    const scores = await storedScores(clickhouse, tenant.projectId, ['t1', 't2']);
    expect([...scores.keys()]).toEqual(['t2']);
    await pipeline.close();
  });

  test('a withdrawn score is removed from the figures and from its trace or session, and may be recorded again', async () => {
    const { pipeline, tenant } = await rig(clickhouse);
    const ofSession = { scoreId: 's2', traceId: '', sessionId: 'session' };
    await pipeline.accept(tenant, { spans: [span({ traceId: 't1', spanId: 'a' })], scores: [score({}), score(ofSession)] }, 1);
    await pipeline.drain();
    expect((await derivedState(clickhouse, tenant.projectId)).quality).toHaveLength(2);
    const laterMs = startMs + 7_200_000;
    const withdrawn = [score({ withdrawn: true, timestampMs: laterMs }), score({ ...ofSession, withdrawn: true })];
    await pipeline.accept(tenant, { spans: [], scores: withdrawn }, 0);
    await pipeline.drain();
    expect((await derivedState(clickhouse, tenant.projectId)).quality).toEqual([]);
    expect(
      await clickhouse.forTenant({ projectId: tenant.projectId, oldestMs: null }).query('SELECT 1 FROM scores FINAL'),
    ).toEqual([]);
    await pipeline.accept(tenant, { spans: [], scores: [score({ score: 0.5 }), score(ofSession)] }, 0);
    await pipeline.drain();
    expect((await derivedState(clickhouse, tenant.projectId)).quality).toMatchObject([
      { score: 0.5, trace_id: 't1' },
      { trace_id: '' },
    ]);
    await pipeline.close();
  });

  test('a deleted trace is removed from every table, and may be sent again', async () => {
    const { pipeline, tenant, deletePayloads } = await rig(clickhouse);
    const call = span({ traceId: 't1', spanId: 'a', kind: 'llm', model: 'm' });
    await pipeline.accept(tenant, { spans: [call], scores: [score({})] }, 2);
    expect(await pipeline.deleteTrace(tenant, 't1')).toBe(true);
    expect(await derivedState(clickhouse, tenant.projectId)).toEqual({
      calls: [],
      nodeCalls: [],
      agents: [],
      quality: [],
      traces: [],
      headers: [],
    });
    expect((await storedSpans(clickhouse, tenant.projectId, ['t1'])).size).toBe(0);
    await deletePayloads();
    const payloads = `SELECT 1 FROM spans WHERE project_id = '${tenant.projectId}' AND is_deleted = 0`;
    expect(await clickhouse.systemQuery(payloads)).toEqual([]);
    expect(await pipeline.deleteTrace(tenant, 't1')).toBe(false);
    await pipeline.accept(tenant, { spans: [call], scores: [] }, 1);
    await pipeline.drain();
    expect((await derivedState(clickhouse, tenant.projectId)).calls).toHaveLength(1);
    await pipeline.close();
  });

  test('the last span of a project is none of a simulation', async () => {
    const { pipeline, tenant } = await rig(clickhouse);
    const marks = { agentName: simulationMark, environment: simulationMark, tags: [simulationMark] };
    await pipeline.accept(tenant, { spans: [span({ traceId: 't1', spanId: 'a', ...marks })], scores: [] }, 0);
    expect(pipeline.lastActivity(tenant.projectId)).toEqual({ eventMs: expect.any(Number), spanMs: 0 });
    await pipeline.accept(tenant, { spans: [span({ traceId: 't2', spanId: 'a' })], scores: [] }, 1);
    expect(pipeline.lastActivity(tenant.projectId).spanMs).toBeGreaterThan(0);
    await pipeline.close();
  });

  test('guardrail activity is replaced by its id, and counts as no event', async () => {
    const { pipeline, log, tenant } = await rig(clickhouse);
    const moment = { ...guardrailActivity.blank, activityId: 'a', atMs: startMs };
    const blocks = {
      guardrail: 'g',
      type: 'pii',
      checks: 2,
      flagged: 0,
      redacted: 0,
      blocked: 1,
      failed: 0,
      latencies: [1.5, 2],
    };
    const activity = { ...moment, checks: 2, blocked: 1, environment: 'é', guardrails: [blocks] };
    await pipeline.accept(tenant, { spans: [], scores: [], guardrailActivity: [activity] }, 0);
    expect(pipeline.pendingEvents(tenant.projectId)).toBe(0);
    expect(pipeline.lastActivity(tenant.projectId)).toEqual({ eventMs: 0, spanMs: 0 });
    await pipeline.drain();
    const stored = () =>
      clickhouse
        .forTenant({ projectId: tenant.projectId, oldestMs: null })
        .query('SELECT * EXCEPT (project_id, version, is_deleted) FROM guardrail_activity FINAL');
    const row = {
      activity_id: 'a',
      start_time: '2026-11-20 10:00:00.000',
      stage: 'input',
      environment: 'é',
      checks: 2,
      flagged: 0,
      redacted: 0,
      blocked: 1,
      failed: 0,
      guardrails: ['g'],
      guardrail_types: ['pii'],
      guardrail_checks: [2],
      guardrail_flagged: [0],
      guardrail_redacted: [0],
      guardrail_blocked: [1],
      guardrail_failed: [0],
      timed_guardrails: ['g', 'g'],
      latencies: [1.5, 2],
    };
    expect(await stored()).toEqual([row]);
    const later = { ...moment, atMs: startMs - 40 * 86_400_000, checks: 3 };
    await pipeline.accept(tenant, { spans: [span({ traceId: 't' })], scores: [], guardrailActivity: [later] }, 0);
    expect(pipeline.pendingEvents(tenant.projectId)).toBe(1);
    await pipeline.drain();
    expect(await stored()).toMatchObject([{ activity_id: 'a', checks: 3, guardrails: [] }]);
    // Repeated after a crash, whose batch was written already.
    const last = log.history.at(-1);
    if (last) log.restore(last.info.id);
    await pipeline.drain();
    expect(await stored()).toMatchObject([{ activity_id: 'a', checks: 3 }]);
    await pipeline.close();
  });

  test('pending events are counted until they are written', async () => {
    const { pipeline, tenant } = await rig(clickhouse);
    await pipeline.accept(tenant, { spans: [span({ traceId: 't1', spanId: 'a' })], scores: [] }, 1);
    expect(pipeline.pendingEvents(tenant.projectId)).toBe(1);
    expect(pipeline.uncountedEvents(organizationId, '2026-11-01')).toBe(1);
    await pipeline.drain();
    expect(pipeline.pendingEvents(tenant.projectId)).toBe(0);
    expect(pipeline.uncountedEvents(organizationId, '2026-11-01')).toBe(0);
    await pipeline.close();
  });
});
