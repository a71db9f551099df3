import { RowWriter } from '../../../platform/row-binary/index.ts';
import type { InsertRows, RowLayout } from '../../../platform/clickhouse/index.ts';
import type { TouchedHour } from '../pipeline-contract.ts';
import type { DerivedKeys } from '../settle/stored-keys.ts';
import type { Call, Quality, TraceSummary, TraceView } from './trace-view.ts';

const callLayout: RowLayout = [
  ['project_id', 'UUID'],
  ['hour', 'UInt32'],
  ['trace_id', 'String'],
  ['span_id', 'String'],
  ['version', 'UInt64'],
  ['is_deleted', 'UInt8'],
  ['start_time', 'DateTime64(9)'],
  ['model', 'String'],
  ['provider', 'String'],
  ['agent_name', 'String'],
  ['operation', 'String'],
  ['environment', 'String'],
  ['prompt_name', 'String'],
  ['prompt_version', 'String'],
  ['error', 'UInt8'],
  ['error_code', 'String'],
  ['finished', 'UInt8'],
  ['duration_ms', 'Float64'],
  ['ttft_ms', 'Nullable(Float64)'],
  ['cost', 'Float64'],
  ['unpriced', 'UInt8'],
  ['input_tokens', 'UInt64'],
  ['output_tokens', 'UInt64'],
  ['cached_tokens', 'UInt64'],
  ['cache_write_tokens', 'UInt64'],
  ['reasoning_tokens', 'UInt64'],
];

const qualityLayout: RowLayout = [
  ['project_id', 'UUID'],
  ['hour', 'UInt32'],
  ['score_id', 'String'],
  ['version', 'UInt64'],
  ['is_deleted', 'UInt8'],
  ['start_time', 'DateTime64(3)'],
  ['trace_id', 'String'],
  ['model', 'String'],
  ['evaluator', 'String'],
  ['score', 'Float64'],
  ['passed', 'Nullable(UInt8)'],
  ['span_id', 'String'],
];

const traceLayout: RowLayout = [
  ['project_id', 'UUID'],
  ['start_time', 'DateTime64(9)'],
  ['trace_id', 'String'],
  ['version', 'UInt64'],
  ['is_deleted', 'UInt8'],
  ['name', 'String'],
  ['end_time', 'Nullable(DateTime64(9))'],
  ['duration_ms', 'Nullable(Float64)'],
  ['session_id', 'String'],
  ['user_id', 'String'],
  ['environment', 'String'],
  ['release', 'String'],
  ['tags', 'Array(String)'],
  ['error', 'UInt8'],
  ['error_count', 'UInt32'],
  ['span_count', 'UInt32'],
  ['call_count', 'UInt32'],
  ['unpriced_calls', 'UInt32'],
  ['models', 'Array(String)'],
  ['agents', 'Array(String)'],
  ['cost', 'Float64'],
  ['input_tokens', 'UInt64'],
  ['output_tokens', 'UInt64'],
  ['cached_tokens', 'UInt64'],
  ['reasoning_tokens', 'UInt64'],
  ['input_preview', 'String'],
  ['output_preview', 'String'],
];

/** A tombstone under a key of which nothing else is known has the first columns alone. */
const tombstones = {
  calls: callLayout.slice(
    0,
    callLayout.findIndex(([column]) => column === 'model'),
  ),
  quality: qualityLayout.slice(
    0,
    qualityLayout.findIndex(([column]) => column === 'model'),
  ),
  traces: traceLayout.slice(
    0,
    traceLayout.findIndex(([column]) => column === 'name'),
  ),
};

/**
 * Collects the rows by which the derived tables go from what a trace was to what it is. A row whose key (hour or start) is left
 * behind is replaced by a tombstone; a row that has not changed is not written, so that its hour stays sealed.
 */
export class DerivedRows {
  readonly #calls = new RowWriter(64 * 1024);
  readonly #quality = new RowWriter(4096);
  readonly #traces = new RowWriter(64 * 1024);
  readonly #stale = { calls: new RowWriter(4096), quality: new RowWriter(4096), traces: new RowWriter(4096) };
  readonly #hours = new Map<string, TouchedHour>();
  readonly #version: number;

  /** @param version of every row: above that of all rows written before */
  constructor(version: number) {
    this.#version = version;
  }

  /** Adds what changes in the calls and the summary of one trace. */
  add(projectId: string, traceId: string, before: TraceView, after: TraceView): void {
    for (const [spanId, call] of before.calls) {
      const now = after.calls.get(spanId);
      if (now?.hour !== call.hour) this.#call(projectId, call, true);
    }
    for (const [spanId, call] of after.calls) {
      const earlier = before.calls.get(spanId);
      if (!earlier || !sameCall(earlier, call)) this.#call(projectId, call, false);
    }
    if (before.summary && before.summary.startNs !== after.summary?.startNs) {
      this.#trace(projectId, traceId, before.summary, true);
    }
    if (after.summary) this.#trace(projectId, traceId, after.summary, false);
  }

  /**
   * Adds what changes in the scores of one project, by score id. Given for all of a batch's traces at once: a score may move from
   * one trace to another and keep its key.
   */
  addQuality(projectId: string, before: ReadonlyMap<string, Quality>, after: ReadonlyMap<string, Quality>): void {
    for (const [scoreId, quality] of before) {
      if (after.get(scoreId)?.hour !== quality.hour) this.#score(projectId, quality, true);
    }
    for (const [scoreId, quality] of after) {
      const earlier = before.get(scoreId);
      if (!earlier || !sameQuality(earlier, quality)) this.#score(projectId, quality, false);
    }
  }

  /**
   * Writes everything of a trace, whatever stands there, and tombstones under the keys that `view` does not have.
   *
   * @param stale such keys
   */
  replace(projectId: string, traceId: string, view: TraceView, stale: DerivedKeys): void {
    for (const { hour, spanId } of stale.calls) this.#staleCall(projectId, traceId, hour, spanId);
    for (const { hour, scoreId } of stale.quality) this.#staleScore(projectId, traceId, hour, scoreId);
    for (const startNs of stale.summaries) this.#staleTrace(projectId, traceId, startNs);
    for (const call of view.calls.values()) this.#call(projectId, call, false);
    for (const quality of view.quality.values()) this.#score(projectId, quality, false);
    if (view.summary) this.#trace(projectId, traceId, view.summary, false);
  }

  #score(projectId: string, { hour, score, model }: Quality, deleted: boolean): void {
    this.#touch(projectId, hour);
    const rows = this.#quality;
    rows.uuid(projectId);
    rows.uint32(hour);
    rows.string(score.scoreId);
    rows.uint64(this.#version);
    rows.uint8(Number(deleted));
    rows.int64(BigInt(score.timestampMs));
    rows.string(score.traceId);
    rows.string(model);
    rows.string(score.evaluator);
    rows.float64(score.score);
    rows.nullableUint8(score.passed);
    rows.string(score.spanId);
  }

  #staleCall(projectId: string, traceId: string, hour: number, spanId: string): void {
    this.#touch(projectId, hour);
    const rows = this.#stale.calls;
    rows.uuid(projectId);
    rows.uint32(hour);
    rows.string(traceId);
    rows.string(spanId);
    rows.uint64(this.#version);
    rows.uint8(1);
    rows.int64(BigInt(hour) * 1_000_000_000n);
  }

  #staleScore(projectId: string, traceId: string, hour: number, scoreId: string): void {
    this.#touch(projectId, hour);
    const rows = this.#stale.quality;
    rows.uuid(projectId);
    rows.uint32(hour);
    rows.string(scoreId);
    rows.uint64(this.#version);
    rows.uint8(1);
    rows.int64(BigInt(hour) * 1000n);
    rows.string(traceId);
  }

  #staleTrace(projectId: string, traceId: string, startNs: bigint): void {
    const rows = this.#stale.traces;
    rows.uuid(projectId);
    rows.int64(startNs);
    rows.string(traceId);
    rows.uint64(this.#version);
    rows.uint8(1);
  }

  /** The hours whose figures change. */
  hours(): TouchedHour[] {
    return [...this.#hours.values()];
  }

  /** What to insert; the tokens are made of `token`, so that a cluster takes a replay of the same batch once. */
  inserts(token: string): InsertRows[] {
    const tables: Array<[table: string, name: string, layout: RowLayout, rows: RowWriter]> = [
      ['calls', 'calls', callLayout, this.#calls],
      ['quality', 'quality', qualityLayout, this.#quality],
      ['traces', 'traces', traceLayout, this.#traces],
      ['calls', 'stale-calls', tombstones.calls, this.#stale.calls],
      ['quality', 'stale-quality', tombstones.quality, this.#stale.quality],
      ['traces', 'stale-traces', tombstones.traces, this.#stale.traces],
    ];
    return tables
      .filter(([, , , rows]) => rows.length > 0)
      .map(([table, name, layout, rows]) => ({ table, layout, bytes: [rows.finish()], token: `${token}-${name}` }));
  }

  #touch(projectId: string, hour: number): void {
    this.#hours.set(`${projectId} ${hour}`, { projectId, hour });
  }

  #call(projectId: string, { hour, span, agentName, operation }: Call, deleted: boolean): void {
    this.#touch(projectId, hour);
    const rows = this.#calls;
    rows.uuid(projectId);
    rows.uint32(hour);
    rows.string(span.traceId);
    rows.string(span.spanId);
    rows.uint64(this.#version);
    rows.uint8(Number(deleted));
    rows.int64(span.startNs);
    rows.string(span.model);
    rows.string(span.provider);
    rows.string(agentName);
    rows.string(operation);
    rows.string(span.environment);
    rows.string(span.promptName);
    rows.string(span.promptVersion);
    rows.uint8(Number(span.error));
    rows.string(span.error ? span.errorCode : '');
    rows.uint8(Number(span.endNs !== null));
    rows.float64(durationMs(span.startNs, span.endNs) ?? 0);
    rows.nullableFloat64(span.ttftMs);
    rows.float64(span.costUsd ?? 0);
    rows.uint8(Number(span.costStatus === 'unpriced'));
    rows.uint64(span.inputTokens ?? 0);
    rows.uint64(span.outputTokens ?? 0);
    rows.uint64(span.cachedTokens ?? 0);
    rows.uint64(span.cacheWriteTokens ?? 0);
    rows.uint64(span.reasoningTokens ?? 0);
  }

  #trace(projectId: string, traceId: string, trace: TraceSummary, deleted: boolean): void {
    const rows = this.#traces;
    rows.uuid(projectId);
    rows.int64(trace.startNs);
    rows.string(traceId);
    rows.uint64(this.#version);
    rows.uint8(Number(deleted));
    rows.string(trace.name);
    rows.nullableInt64(trace.endNs);
    rows.nullableFloat64(durationMs(trace.startNs, trace.endNs));
    rows.string(trace.sessionId);
    rows.string(trace.userId);
    rows.string(trace.environment);
    rows.string(trace.release);
    rows.strings(trace.tags);
    rows.uint8(Number(trace.errorCount > 0));
    rows.uint32(trace.errorCount);
    rows.uint32(trace.spanCount);
    rows.uint32(trace.callCount);
    rows.uint32(trace.unpricedCalls);
    rows.strings(trace.models);
    rows.strings(trace.agents);
    rows.float64(trace.cost);
    rows.uint64(trace.inputTokens);
    rows.uint64(trace.outputTokens);
    rows.uint64(trace.cachedTokens);
    rows.uint64(trace.reasoningTokens);
    rows.string(trace.inputPreview);
    rows.string(trace.outputPreview);
  }
}

/** Milliseconds between two instants, null while the second is not known; never negative. */
function durationMs(startNs: bigint, endNs: bigint | null): number | null {
  if (endNs === null) return null;
  return endNs <= startNs ? 0 : Number(endNs - startNs) / 1e6;
}

function sameCall(left: Call, right: Call): boolean {
  return left.span.version === right.span.version && left.agentName === right.agentName && left.operation === right.operation;
}

function sameQuality(left: Quality, right: Quality): boolean {
  return left.score.version === right.score.version && left.model === right.model;
}
