import { expect, vi } from 'vitest';
import { MemoryLog } from '../../../../test/support/memory-log.ts';
import type { ClickHouse, TenantScope } from '../../../platform/clickhouse/index.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { emptyScore, emptySpan } from '../../records/records.fixture.ts';
import { LocalBatchBuilder } from '../batches/batch-builder.ts';
import type { BatchBuilder } from '../batches/batch-builder.ts';
import { deletePayloads } from '../deletion/delete-payloads.ts';
import { MemoryDeletions } from '../deletion/memory-deletions.fixture.ts';
import { storedScores, storedSpans } from '../derivation/stored-headers.ts';
import { viewTrace } from '../derivation/trace-view.ts';
import { noUsage as usage } from '../log/no-usage.fixture.ts';
import type { TouchedHour } from '../pipeline-port.ts';
import { applyCosts } from '../repricing/apply-costs.ts';
import { planRepricing } from '../repricing/plan-repricing.ts';
import type { RepricedRange, RepricingFigures } from '../repricing/plan-repricing.ts';
import { spanHeaders } from '../tables/span-headers.ts';
import { Pipeline } from './pipeline.ts';

export const startMs = Date.UTC(2026, 10, 20, 10);
export const organizationId = '0197a000-0000-7000-8000-00000000000a';

let projects = 0;

/** A pipeline of a new project over an engine whose inserts can be made to fail. */
export interface Rig {
  pipeline: Pipeline;
  log: MemoryLog;
  tenant: { projectId: string; organizationId: string };
  marked: TouchedHour[];
  /** Makes the nth insert from now on fail once, with a newly started builder. */
  failInsert(nth: number): void;
  loseBuilder(): void;
  /** Runs the job that deletes payloads. Resolves when its mutations have ended. */
  deletePayloads(): Promise<void>;
  /** Prices stored spans anew from the first page on, a few spans a page. @returns the figures of all pages */
  reprice(range: Omit<RepricedRange, 'projectId'>): Promise<RepricingFigures>;
}

const smallPages = { maxSpans: 3, maxSpansOfTraces: 4, maxRows: 5 };

export async function rig(clickhouse: ClickHouse): Promise<Rig> {
  let untilFailure = 0;
  const failingInserts = <Target extends object>(store: Target): Target =>
    new Proxy(store, {
      get: (target, name) => {
        if ((name === 'insertRows' || name === 'insertSelect') && untilFailure > 0 && --untilFailure === 0) {
          return () => Promise.reject(new Error('the disk is full'));
        }
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name !== 'forTenant') return member.bind(target) as unknown;
        return (scope: TenantScope) => failingInserts(clickhouse.forTenant(scope));
      },
    });
  const failing = failingInserts(clickhouse);
  const builder = () => {
    const built = new LocalBatchBuilder(clickhouse);
    return built.load().then(() => built);
  };
  let current = await builder();
  let lost = false;
  const replaceable: BatchBuilder = {
    build: async (...parameters) => {
      if (lost) current = await builder();
      lost = false;
      return current.build(...parameters);
    },
    written: () => current.written(),
    givenUp: () => current.givenUp(),
    spansOf: (...parameters) => current.spansOf(...parameters),
    forget: (...parameters) => current.forget(...parameters),
  };
  const projectId = `0197a000-0000-7000-8000-${String(++projects).padStart(12, '0')}`;
  const log = new MemoryLog();
  const marked: TouchedHour[] = [];
  const deletions = new MemoryDeletions();
  const pipeline = await Pipeline.open({
    clickhouse: failing,
    builder: replaceable,
    // One record a batch, so that a segment has several batches.
    maxBatchEvents: 1,
    onUnreadable: (_record, name, reason) => Promise.reject(new Error(`${name}: ${reason}`)),
    log,
    logId: projectId,
    usage,
    deletions,
    clock: new ManualClock(startMs),
    onWriteError: (error) => {
      throw error;
    },
    markHours: (hours) => {
      marked.push(...hours);
      return Promise.resolve();
    },
    // Only drain() writes batches, so that each test decides what a batch contains.
    batchIntervalMs: 3_600_000,
  });
  await pipeline.accept({ projectId, organizationId }, { spans: [], scores: [] }, 0);
  return {
    pipeline,
    log,
    tenant: { projectId, organizationId },
    marked,
    failInsert: (nth) => (untilFailure = nth),
    loseBuilder: () => (lost = true),
    deletePayloads: async () => {
      await deletePayloads({ clickhouse, deletions }, new AbortController().signal);
      const pending = 'SELECT 1 FROM system.mutations WHERE database = currentDatabase() AND is_done = 0';
      await vi.waitFor(async () => expect(await clickhouse.systemQuery(pending)).toEqual([]), 20_000);
    },
    reprice: async (range) => {
      const sums = { spans: 0, changed: 0, costBefore: 0, costAfter: 0 };
      const options = {
        clickhouse: failing,
        builder: replaceable,
        notes: null,
        markHours: (hours: readonly TouchedHour[]) => Promise.resolve(void marked.push(...hours)),
      };
      for (let after = { traceId: '', spanId: '' }; ;) {
        const page = await planRepricing(clickhouse, { projectId, ...range }, after, null, smallPages);
        await pipeline.whileStill((version) => applyCosts(options, projectId, page.changes, version));
        for (const name of ['spans', 'changed', 'costBefore', 'costAfter'] as const) sums[name] += page.figures[name];
        // An interrupted page is read again up to its end; here all of it is written.
        for (let from = after, rest = page; after.traceId === ''; from = rest.end) {
          rest = await planRepricing(clickhouse, { projectId, ...range }, from, page.end, smallPages);
          if (rest.changes.length > 0) throw new Error('a page that was written has changes');
          if (rest.isLast) break;
        }
        if (page.isLast) return sums;
        after = page.end;
      }
    },
  };
}

export function span(overrides: Partial<SpanRecord>): SpanRecord {
  return { ...emptySpan, startNs: BigInt(startMs) * 1_000_000n, ...overrides };
}

export function score(overrides: Partial<ScoreRecord>): ScoreRecord {
  return { ...emptyScore, timestampMs: startMs, ...overrides };
}

export interface DerivedState {
  nodeCalls: Array<Record<string, unknown>>;
  agents: Array<Record<string, unknown>>;
  calls: Array<Record<string, unknown>>;
  quality: Array<Record<string, unknown>>;
  traces: Array<Record<string, unknown>>;
  headers: Array<Record<string, unknown>>;
}

/** The rows of a project in the derived tables. */
export async function derivedState(clickhouse: ClickHouse, projectId: string): Promise<DerivedState> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const [calls, nodeCalls, agents, quality, traces, headers] = await Promise.all([
    reader.query<Record<string, unknown>>(
      `SELECT trace_id, span_id, toUnixTimestamp(hour) AS hour, model, agent_name, operation, error, error_code, finished, duration_ms,
        cost, unpriced, input_tokens, output_tokens FROM calls FINAL ORDER BY trace_id, span_id`,
    ),
    reader.query<Record<string, unknown>>(
      `SELECT trace_id, call_id, toUnixTimestamp(hour) AS hour, node, caller, environment, agent_name, error, cost
       FROM node_calls FINAL ORDER BY trace_id, call_id`,
    ),
    reader.query<Record<string, unknown>>(
      `SELECT trace_id, span_id, agent_name, toString(reinterpretAsInt64(start_time)) AS start
       FROM span_agents FINAL ORDER BY trace_id, span_id`,
    ),
    reader.query<Record<string, unknown>>(
      `SELECT score_id, trace_id, toUnixTimestamp(hour) AS hour, model, evaluator, score, passed FROM quality FINAL ORDER BY score_id`,
    ),
    reader.query<Record<string, unknown>>(
      `SELECT trace_id, toString(reinterpretAsInt64(start_time)) AS start, name, span_count, call_count, error_count, error_code, error_message, models, agents, cost,
        session_id, nodes, node_environments, depth, origin FROM traces FINAL ORDER BY trace_id`,
    ),
    reader.query<Record<string, unknown>>(headersSql(spanHeaders.table)),
  ]);
  return { calls, nodeCalls, agents, quality, traces, headers };
}

/** What `span_headers` must have of the rows of `spans`. */
const headersSql = (table: string) => `SELECT ${spanHeaders.columns.join(', ')} FROM ${table} FINAL ORDER BY trace_id, span_id`;

/** The rows expected in the derived tables: the view of every trace over the rows stored now. */
export async function expectedState(
  clickhouse: ClickHouse,
  projectId: string,
  traceIds: readonly string[],
): Promise<DerivedState> {
  const spans = await storedSpans(clickhouse, projectId, traceIds);
  const scores = await storedScores(clickhouse, projectId, traceIds);
  const headers = await clickhouse.forTenant({ projectId, oldestMs: null }).query<Record<string, unknown>>(headersSql('spans'));
  const state: DerivedState = { calls: [], nodeCalls: [], agents: [], quality: [], traces: [], headers };
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
    for (const { hour, callId, node, caller, environment, agentName, error, cost } of view.nodeCalls.values()) {
      const named = { node, caller, environment, agent_name: agentName, error: Number(error), cost };
      state.nodeCalls.push({ trace_id: traceId, call_id: callId, hour, ...named });
    }
    for (const { spanId, startNs, agentName } of view.agents.values()) {
      state.agents.push({ trace_id: traceId, span_id: spanId, agent_name: agentName, start: String(startNs) });
    }
    for (const { hour, score: of, model } of view.quality.values()) {
      const { scoreId, evaluator } = of;
      const passed = of.passed === null ? null : Number(of.passed);
      state.quality.push({ score_id: scoreId, trace_id: traceId, hour, model, evaluator, score: of.score, passed });
    }
    if (!view.summary) continue;
    const { startNs, name, spanCount, callCount, errorCount, errorCode, errorMessage, models, agents, cost, sessionId } =
      view.summary;
    state.traces.push({
      trace_id: traceId,
      start: String(startNs),
      name,
      span_count: spanCount,
      call_count: callCount,
      error_count: errorCount,
      error_code: errorCode,
      error_message: errorMessage,
      models,
      agents,
      cost,
      session_id: sessionId,
      nodes: view.summary.nodes,
      node_environments: view.summary.nodeEnvironments,
      depth: view.summary.depth,
      origin: view.summary.origin,
    });
  }
  state.calls.sort(by('trace_id', 'span_id'));
  state.nodeCalls.sort(by('trace_id', 'call_id'));
  state.agents.sort(by('trace_id', 'span_id'));
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
