import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { MemoryLog } from '../../../../test/support/memory-log.ts';
import { spanKinds } from '../../../contract/kinds.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { TouchedHour } from '../pipeline-contract.ts';
import type { ScoreRecord, SpanRecord } from '../span.ts';
import { LocalBatchBuilder } from './batch-builder.ts';
import { Pipeline } from './pipeline.ts';
import { emptySpan } from './span-record.fixture.ts';
import type { UsageStore } from './usage-store.ts';
import { viewTrace } from './trace-view.ts';
import { storedScores, storedSpans } from './stored-outlines.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
const organizationId = '0197a000-0000-7000-8000-00000000000a';

let clickhouse: ClickHouse;
let close: () => Promise<void>;
let projects = 0;

beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
});
afterAll(() => close());

interface Rig {
  pipeline: Pipeline;
  log: MemoryLog;
  tenant: { projectId: string; organizationId: string };
  marked: TouchedHour[];
}

async function rig(): Promise<Rig> {
  const projectId = `0197a000-0000-7000-8000-${String(++projects).padStart(12, '0')}`;
  const log = new MemoryLog();
  const marked: TouchedHour[] = [];
  const usage = { count: () => Promise.resolve(), highestVersion: () => Promise.resolve(0) } as unknown as UsageStore;
  const pipeline = await Pipeline.open({
    clickhouse,
    builder: new LocalBatchBuilder(clickhouse),
    onUnreadable: (_record, name, reason) => Promise.reject(new Error(`${name}: ${reason}`)),
    log,
    logId: projectId,
    usage,
    clock: new ManualClock(startMs),
    onWriteError: (error) => {
      throw error;
    },
    markHours: (hours) => {
      marked.push(...hours);
      return Promise.resolve();
    },
    // Batches are written by drain() alone, so that each test knows what is in one.
    batchIntervalMs: 3_600_000,
  });
  await pipeline.accept({ projectId, organizationId }, { spans: [], scores: [] }, 0);
  return { pipeline, log, tenant: { projectId, organizationId }, marked };
}

function span(overrides: Partial<SpanRecord>): SpanRecord {
  return { ...emptySpan, startNs: BigInt(startMs) * 1_000_000n, ...overrides };
}

function score(overrides: Partial<ScoreRecord>): ScoreRecord {
  return {
    scoreId: 's1',
    traceId: 't1',
    spanId: '',
    sessionId: '',
    evaluator: 'helpful',
    score: 1,
    passed: null,
    label: '',
    comment: '',
    model: '',
    timestampMs: startMs,
    source: 'native',
    metadata: '',
    ...overrides,
  };
}

interface DerivedState {
  calls: Array<Record<string, unknown>>;
  quality: Array<Record<string, unknown>>;
  traces: Array<Record<string, unknown>>;
}

async function derivedState(projectId: string): Promise<DerivedState> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const [calls, quality, traces] = await Promise.all([
    reader.query<Record<string, unknown>>(
      `SELECT trace_id, span_id, toUnixTimestamp(hour) AS hour, model, agent_name, operation, error, error_code, finished, duration_ms,
        cost, unpriced, input_tokens, output_tokens FROM calls FINAL ORDER BY trace_id, span_id`,
    ),
    reader.query<Record<string, unknown>>(
      `SELECT score_id, trace_id, toUnixTimestamp(hour) AS hour, model, evaluator, score, passed FROM quality FINAL ORDER BY score_id`,
    ),
    reader.query<Record<string, unknown>>(
      `SELECT trace_id, toString(reinterpretAsInt64(start_time)) AS start, name, span_count, call_count, error_count, models, agents, cost,
        session_id FROM traces FINAL ORDER BY trace_id`,
    ),
  ]);
  return { calls, quality, traces };
}

/** What the derived tables must hold: the view of every trace over the rows as they are stored now. */
async function expectedState(projectId: string, traceIds: readonly string[]): Promise<DerivedState> {
  const spans = await storedSpans(clickhouse, projectId, traceIds);
  const scores = await storedScores(clickhouse, projectId, traceIds);
  const state: DerivedState = { calls: [], quality: [], traces: [] };
  for (const traceId of traceIds.toSorted()) {
    const view = viewTrace(spans.get(traceId) ?? [], scores.get(traceId) ?? []);
    for (const { hour, span: of, agentName, operation } of view.calls.values()) {
      state.calls.push({
        trace_id: traceId,
        span_id: of.spanId,
        hour,
        model: of.model,
        agent_name: agentName,
        operation,
        error: Number(of.error),
        error_code: of.error ? of.errorCode : '',
        finished: Number(of.endNs !== null),
        duration_ms: of.endNs === null || of.endNs < of.startNs ? 0 : Number(of.endNs - of.startNs) / 1e6,
        cost: of.costUsd ?? 0,
        unpriced: Number(of.costStatus === 'unpriced'),
        input_tokens: of.inputTokens ?? 0,
        output_tokens: of.outputTokens ?? 0,
      });
    }
    for (const { hour, score: of, model } of view.quality.values()) {
      const { scoreId, evaluator, passed } = of;
      state.quality.push({ score_id: scoreId, trace_id: traceId, hour, model, evaluator, score: of.score, passed });
    }
    if (!view.summary) continue;
    const { startNs, name, spanCount, callCount, errorCount, models, agents, cost, sessionId } = view.summary;
    state.traces.push({
      trace_id: traceId,
      start: String(startNs),
      name,
      span_count: spanCount,
      call_count: callCount,
      error_count: errorCount,
      models,
      agents,
      cost,
      session_id: sessionId,
    });
  }
  state.calls.sort(by('trace_id', 'span_id'));
  state.quality.sort(by('score_id'));
  return state;
}

function by(...keys: string[]) {
  return (left: Record<string, unknown>, right: Record<string, unknown>) => {
    for (const key of keys) {
      const [a, b] = [String(left[key]), String(right[key])];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  };
}

describe('what arrives becomes rows', () => {
  test('a re-sent span that moved to another day leaves its old hour', async () => {
    const { pipeline, tenant, marked } = await rig();
    const call = { traceId: 't1', spanId: 'a', kind: 'llm', model: 'm' } as const;
    await pipeline.accept(tenant, { spans: [span(call)], scores: [] }, 1);
    await pipeline.drain();
    const dayEarlier = BigInt(startMs - 86_400_000) * 1_000_000n;
    await pipeline.accept(tenant, { spans: [span({ ...call, startNs: dayEarlier })], scores: [] }, 1);
    await pipeline.drain();
    const { calls, traces } = await derivedState(tenant.projectId);
    expect(calls.map((row) => row['hour'])).toEqual([(startMs - 86_400_000) / 1000]);
    expect(traces).toHaveLength(1);
    expect(new Set(marked.map(({ hour }) => hour))).toEqual(new Set([startMs / 1000, (startMs - 86_400_000) / 1000]));
    await pipeline.close();
  });

  test('an agent that arrives after its children gives them its name, and an outer span stops being a call', async () => {
    const { pipeline, tenant } = await rig();
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
    const { calls } = await derivedState(tenant.projectId);
    expect(calls).toMatchObject([{ span_id: 'in', agent_name: 'planner', operation: 'llm' }]);
    await pipeline.close();
  });

  test('a score that arrives before its span counts once the span is there', async () => {
    const { pipeline, tenant } = await rig();
    await pipeline.accept(tenant, { spans: [], scores: [score({ spanId: 'a' })] }, 1);
    await pipeline.drain();
    expect((await derivedState(tenant.projectId)).quality).toMatchObject([{ model: '' }]);
    await pipeline.accept(tenant, { spans: [span({ traceId: 't1', spanId: 'a', kind: 'llm', model: 'm' })], scores: [] }, 1);
    await pipeline.drain();
    expect((await derivedState(tenant.projectId)).quality).toMatchObject([{ model: 'm' }]);
    await pipeline.close();
  });

  test('a score that moves to another trace counts there alone', async () => {
    const { pipeline, tenant } = await rig();
    const spans = [
      span({ traceId: 't1', spanId: 'a', kind: 'llm', model: 'm1' }),
      span({ traceId: 't2', spanId: 'b', kind: 'llm', model: 'm2' }),
    ];
    await pipeline.accept(tenant, { spans, scores: [score({})] }, 3);
    await pipeline.drain();
    await pipeline.accept(tenant, { spans: [], scores: [score({ traceId: 't2' })] }, 1);
    await pipeline.drain();
    const { quality } = await derivedState(tenant.projectId);
    expect(quality).toMatchObject([{ score_id: 's1', trace_id: 't2', model: 'm2' }]);
    const scores = await storedScores(clickhouse, tenant.projectId, ['t1', 't2']);
    expect([...scores.keys()]).toEqual(['t2']);
    await pipeline.close();
  });

  test('a deleted trace leaves every table, and may come again', async () => {
    const { pipeline, tenant } = await rig();
    const call = span({ traceId: 't1', spanId: 'a', kind: 'llm', model: 'm' });
    await pipeline.accept(tenant, { spans: [call], scores: [score({})] }, 2);
    expect(await pipeline.deleteTrace(tenant, 't1')).toBe(true);
    expect(await derivedState(tenant.projectId)).toEqual({ calls: [], quality: [], traces: [] });
    expect((await storedSpans(clickhouse, tenant.projectId, ['t1'])).size).toBe(0);
    const payloads = () =>
      clickhouse.systemQuery(`SELECT 1 FROM spans WHERE project_id = '${tenant.projectId}' AND is_deleted = 0`);
    await vi.waitFor(async () => expect(await payloads()).toEqual([]), 10_000);
    expect(await pipeline.deleteTrace(tenant, 't1')).toBe(false);
    await pipeline.accept(tenant, { spans: [call], scores: [] }, 1);
    await pipeline.drain();
    expect((await derivedState(tenant.projectId)).calls).toHaveLength(1);
    await pipeline.close();
  });

  test('pending events are counted until they are written', async () => {
    const { pipeline, tenant } = await rig();
    await pipeline.accept(tenant, { spans: [span({ traceId: 't1', spanId: 'a' })], scores: [] }, 1);
    expect(pipeline.pendingEvents(tenant.projectId)).toBe(1);
    expect(pipeline.uncountedEvents(organizationId, '2026-11-01')).toBe(1);
    await pipeline.drain();
    expect(pipeline.pendingEvents(tenant.projectId)).toBe(0);
    expect(pipeline.uncountedEvents(organizationId, '2026-11-01')).toBe(0);
    await pipeline.close();
  });
});

const traces = ['t1', 't2', 't3'];
const spanIds = ['a', 'b', 'c', 'd'];
const hours = fc.integer({ min: -50, max: 0 }).map((hour) => BigInt(startMs + hour * 3_600_000) * 1_000_000n);
const anySpan = fc
  .record({
    traceId: fc.constantFrom(...traces),
    spanId: fc.constantFrom('', ...spanIds),
    parentSpanId: fc.constantFrom('', ...spanIds, 'gone'),
    kind: fc.constantFrom(...spanKinds),
    model: fc.constantFrom('', 'm1', 'm2'),
    agentName: fc.constantFrom('', '', 'planner', 'writer'),
    status: fc.constantFrom('', 'ok', 'error'),
    inputTokens: fc.option(fc.nat(100)),
    costUsd: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    source: fc.constantFrom('native', 'otlp'),
    startNs: hours,
    sessionId: fc.constantFrom('', 'session'),
  })
  .map((fields) =>
    span({
      ...fields,
      errorCode: fields.status === 'error' ? 'boom' : '',
      endNs: fields.startNs + 5_000_000n,
    } as Partial<SpanRecord>),
  );
const anyScore = fc
  .record({
    scoreId: fc.constantFrom('s1', 's2', 's3'),
    traceId: fc.constantFrom(...traces),
    spanId: fc.constantFrom('', ...spanIds),
    model: fc.constantFrom('', 'm9'),
    timestampMs: hours.map((ns) => Number(ns / 1_000_000n)),
    passed: fc.option(fc.boolean()),
  })
  .map((fields) => score(fields));
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ spans: fc.array(anySpan, { maxLength: 5 }), scores: fc.array(anyScore, { maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.constantFrom(...traces).map((trace) => ({ delete: trace })) },
  { weight: 1, arbitrary: fc.constant({ replay: true as const }) },
);

/** What the log repeats may have been deleted meanwhile. */
const sentOnce = (spanId: string) => ({ spans: [span({ traceId: 't1', spanId, kind: 'llm', model: 'm1' })], scores: [] });
const deletedAndRepeated = [sentOnce('a'), { delete: 't1' }, { replay: true as const }, sentOnce('b')];

test(
  'after any batches, deletions and replays the derived tables are the view of what is stored',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const { pipeline, log, tenant } = await rig();
        for (const one of steps) {
          if ('delete' in one) await pipeline.deleteTrace(tenant, one.delete);
          else if ('replay' in one) {
            const last = log.history.at(-1);
            if (last) log.restore(last.info.id);
          } else await pipeline.accept(tenant, one, 1);
          await pipeline.drain();
        }
        expect(await derivedState(tenant.projectId)).toEqual(await expectedState(tenant.projectId, traces));
        await pipeline.close();
      }),
      { numRuns: 25, examples: [[deletedAndRepeated]] },
    );
  },
);
