import { Table } from '../../../platform/tables/index.ts';
import type { SpanOrigin } from '../../records/index.ts';
import { durationMs } from './duration-ms.ts';

/** The nodes that a trace contains. */
export interface TraceNodes {
  /** In order of name, at most 2,000. */
  nodes: readonly string[];
  /** The environment of each: a node with spans of two environments is listed twice. */
  nodeEnvironments: readonly string[];
}

/** The summary of a trace, for lists. */
export interface TraceSummary extends TraceNodes {
  startNs: bigint;
  /** First and last start of a record of the trace: of a span, or of the trace's own record. */
  oldestNs: bigint;
  newestNs: bigint;
  endNs: bigint | null;
  name: string;
  sessionId: string;
  userId: string;
  environment: string;
  release: string;
  tags: readonly string[];
  errorCount: number;
  /** Code, and first 200 characters of the message, of the failed span that started last; `''` when none failed. */
  errorCode: string;
  errorMessage: string;
  spanCount: number;
  callCount: number;
  unpricedCalls: number;
  partlyPricedCalls: number;
  models: readonly string[];
  agents: readonly string[];
  cost: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  reasoningTokens: number;
  inputPreview: string;
  outputPreview: string;
  /** Whether all spans prepare a run, and none failed: lists leave it out. */
  isSetup: boolean;
  /** Levels of its tree of spans: 1 of a root alone, 0 without a span. */
  depth: number;
  /** What it was made for; `''` in rows of earlier releases. */
  origin: SpanOrigin | '';
}

interface TraceRow {
  traceId: string;
  summary: TraceSummary;
}

const blank: TraceRow = {
  traceId: '',
  summary: {
    startNs: 0n,
    oldestNs: 0n,
    newestNs: 0n,
    endNs: null,
    name: '',
    sessionId: '',
    userId: '',
    environment: '',
    release: '',
    tags: [],
    errorCount: 0,
    errorCode: '',
    errorMessage: '',
    spanCount: 0,
    callCount: 0,
    unpricedCalls: 0,
    partlyPricedCalls: 0,
    models: [],
    agents: [],
    cost: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    reasoningTokens: 0,
    inputPreview: '',
    outputPreview: '',
    isSetup: false,
    depth: 0,
    origin: '',
    nodes: [],
    nodeEnvironments: [],
  },
};

/** Table `traces`: a row is the summary of one trace, for lists. Derived. */
export const traces = new Table({
  name: 'traces',
  timeColumn: 'start_time',
  extent: { oldest: 'oldest_time', newest: 'newest_time' },
  layoutVersion: 7,
  blank,
  tombstone: {
    columns: ['project_id', 'start_time', 'trace_id', 'version', 'is_deleted'],
    row: ({ traceId, startNs }: { traceId: string; startNs: bigint }): TraceRow => ({
      traceId,
      summary: { ...blank.summary, startNs },
    }),
  },
  columns: (to, stamp, { traceId, summary }) => {
    to.uuid('project_id', stamp.projectId);
    to.nanoseconds('start_time', summary.startNs);
    to.string('trace_id', traceId);
    to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    to.string('name', summary.name);
    to.nullableNanoseconds('end_time', summary.endNs);
    to.nullableFloat64('duration_ms', durationMs(summary.startNs, summary.endNs));
    to.string('session_id', summary.sessionId);
    to.string('user_id', summary.userId);
    to.string('environment', summary.environment);
    to.string('release', summary.release);
    to.strings('tags', summary.tags);
    to.boolean('error', summary.errorCount > 0);
    to.uint32('error_count', summary.errorCount);
    to.uint32('span_count', summary.spanCount);
    to.uint32('call_count', summary.callCount);
    to.uint32('unpriced_calls', summary.unpricedCalls);
    to.strings('models', summary.models);
    to.strings('agents', summary.agents);
    to.float64('cost', summary.cost);
    to.uint64('input_tokens', summary.inputTokens);
    to.uint64('output_tokens', summary.outputTokens);
    to.uint64('cached_tokens', summary.cachedTokens);
    to.uint64('reasoning_tokens', summary.reasoningTokens);
    to.string('input_preview', summary.inputPreview);
    to.string('output_preview', summary.outputPreview);
    to.since(2).nanoseconds('oldest_time', summary.oldestNs);
    to.since(2).nanoseconds('newest_time', summary.newestNs);
    to.since(3).string('error_code', summary.errorCode);
    to.since(3).string('error_message', summary.errorMessage);
    to.since(4).strings('nodes', summary.nodes);
    to.since(4).strings('node_environments', summary.nodeEnvironments);
    to.since(5).uint32('partly_priced_calls', summary.partlyPricedCalls);
    to.since(6).boolean('is_setup', summary.isSetup);
    to.since(7).uint32('depth', summary.depth);
    to.since(7).string('origin', summary.origin);
  },
});
