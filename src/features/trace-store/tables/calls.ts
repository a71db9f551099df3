import { Table } from '../../../platform/tables/index.ts';
import { durationMs } from './duration-ms.ts';
import { spans } from './spans.ts';
import type { SpanHeader } from './spans.ts';

/**
 * A call (docs/semantics.md, "Calls"): a span of kind llm or embedding that does not repeat another call. One that names no model (`''`) counts only
 * among the unnamed.
 */
export interface Call {
  /** Start of its hour, epoch seconds. */
  hour: number;
  span: SpanHeader;
  agentName: string;
  operation: string;
}

const blank: Call = { hour: 0, span: spans.blankHeader, agentName: '', operation: '' };

/** The key of a row of `calls`. */
export interface CallKey {
  /** Start of its hour, epoch seconds. */
  hour: number;
  span: Pick<SpanHeader, 'traceId' | 'spanId' | 'startNs'>;
}

/** Table `calls`: a row is one call. Derived. */
export const calls = new Table({
  name: 'calls',
  timeColumn: 'start_time',
  layoutVersion: 2,
  blank,
  tombstone: {
    columns: ['project_id', 'hour', 'trace_id', 'span_id', 'version', 'is_deleted', 'start_time'],
    row: ({ hour, span }: CallKey): Call => ({ ...blank, hour, span: { ...blank.span, ...span } }),
  },
  columns: (to, stamp, { hour, span, agentName, operation }) => {
    to.uuid('project_id', stamp.projectId);
    to.uint32('hour', hour);
    to.string('trace_id', span.traceId);
    to.string('span_id', span.spanId);
    to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    to.nanoseconds('start_time', span.startNs);
    to.string('model', span.model);
    to.string('provider', span.provider);
    to.string('agent_name', agentName);
    to.string('operation', operation);
    to.string('environment', span.environment);
    to.string('prompt_name', span.promptName);
    to.string('prompt_version', span.promptVersion);
    to.boolean('error', span.error);
    to.string('error_code', span.error ? span.errorCode : '');
    to.boolean('finished', span.endNs !== null);
    to.float64('duration_ms', durationMs(span.startNs, span.endNs) ?? 0);
    to.nullableFloat64('ttft_ms', span.ttftMs);
    to.float64('cost', span.costUsd ?? 0);
    to.boolean('unpriced', span.costStatus === 'unpriced');
    to.uint64('input_tokens', span.inputTokens ?? 0);
    to.uint64('output_tokens', span.outputTokens ?? 0);
    to.uint64('cached_tokens', span.cachedTokens ?? 0);
    to.uint64('cache_write_tokens', span.cacheWriteTokens ?? 0);
    to.uint64('reasoning_tokens', span.reasoningTokens ?? 0);
    to.since(2).boolean('partly_priced', span.costStatus === 'partly_priced');
  },
});
