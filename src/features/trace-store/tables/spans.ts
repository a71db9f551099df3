import { Table } from '../../../platform/tables/index.ts';
import { blankSpan } from '../../records/index.ts';
import type { SpanRecord } from '../../records/index.ts';
import { markCopies, restoreCopies } from './payload-copies.ts';

const previewLength = 200;

/** The first 200 characters of a payload, without splitting a surrogate pair. */
function previewOf(json: string): string {
  if (json.length <= previewLength) return json;
  const last = json.charCodeAt(previewLength - 1);
  return json.slice(0, last >= 0xd800 && last <= 0xdbff ? previewLength - 1 : previewLength);
}

/**
 * Table `spans`: a row is one version of a span, or (`span_id` `''`) of a trace's own record. The header has what a figure or a list may depend on and
 * none of the payloads.
 */
export const spans = new Table({
  name: 'spans',
  timeColumn: 'start_time',
  layoutVersion: 7,
  blank: blankSpan,
  columnOf: { startNs: 'start_time', endNs: 'end_time', timeToFirstTokenMs: 'ttft_ms' },
  restore: (span) => {
    span.attributes = restoreCopies(span);
  },
  tombstone: {
    columns: ['project_id', 'trace_id', 'span_id', 'version', 'is_deleted', 'start_time'],
    row: (key: Pick<SpanRecord, 'traceId' | 'spanId' | 'startNs'>): SpanRecord => ({
      ...blankSpan,
      traceId: key.traceId,
      spanId: key.spanId,
      startNs: key.startNs,
    }),
  },
  columns: (to, stamp, span) => {
    const projectId = to.uuid('project_id', stamp.projectId);
    const traceId = to.string('trace_id', span.traceId);
    const spanId = to.string('span_id', span.spanId);
    const version = to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    const header = {
      projectId,
      traceId,
      spanId,
      version,
      parentSpanId: to.string('parent_span_id', span.parentSpanId),
      name: to.string('name', span.name),
      kind: to.string('kind', span.kind),
      startNs: to.nanoseconds('start_time', span.startNs),
      endNs: to.nullableNanoseconds('end_time', span.endNs),
      error: to.string('status', span.status) === 'error',
      errorCode: to.string('error_code', span.errorCode),
      model: to.string('model', span.model),
      provider: to.string('provider', span.provider),
      agentName: to.string('agent_name', span.agentName),
      operation: to.string('operation', span.operation),
      sessionId: to.string('session_id', span.sessionId),
      userId: to.string('user_id', span.userId),
      environment: to.string('environment', span.environment),
      release: to.string('release', span.release),
      promptName: to.string('prompt_name', span.promptName),
      promptVersion: to.string('prompt_version', span.promptVersion),
      tags: to.strings('tags', span.tags),
      inputTokens: to.nullableUint64('input_tokens', span.inputTokens),
      outputTokens: to.nullableUint64('output_tokens', span.outputTokens),
      cachedTokens: to.nullableUint64('cached_tokens', span.cachedTokens),
      cacheWriteTokens: to.nullableUint64('cache_write_tokens', span.cacheWriteTokens),
      reasoningTokens: to.nullableUint64('reasoning_tokens', span.reasoningTokens),
      costUsd: to.nullableFloat64('cost_usd', span.costUsd),
      costStatus: to.string('cost_status', span.costStatus),
      ttftMs: to.nullableFloat64('ttft_ms', span.timeToFirstTokenMs),
      source: to.string('source', span.source),
      inputPreview: to.string('input_preview', previewOf(span.input)),
      outputPreview: to.string('output_preview', previewOf(span.output)),
    };
    const requestModel = to.string('request_model', span.requestModel);
    const service = to.string('service', span.service);
    to.text('scope_name', span.scopeName);
    const errorMessage = to.beginning('error_message', span.errorMessage, previewLength);
    to.payload('input', span.input);
    to.payload('output', span.output);
    to.payload('metadata', span.metadata);
    to.payload('attributes', markCopies(span));
    to.payload('extra', span.extra);
    to.since(2).text('prompt_version_type', span.promptVersionType);
    return {
      ...header,
      requestModel,
      service,
      errorMessage,
      responseId: to.since(3).string('response_id', span.responseId),
      traceName: to.since(4).string('trace_name', span.traceName),
      toolName: to.since(5).string('tool_name', span.toolName),
      usageDetails: to.since(6).string('usage_details', span.usageDetails),
      origin: to.since(7).string('origin', span.origin),
    };
  },
});

export type SpanHeader = ReturnType<typeof spans.parse>;
