import { ServiceError } from '../../contract/errors.ts';
import { resolveTrace } from '../trace-store/index.ts';
import type { InheritedAgent, MappedField, StoredSpan } from '../otlp/index.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { readNodes } from './span-headers.ts';
import { readSpans } from './span-row.ts';
import type { SpanRow } from './span-row.ts';
import { readerFor } from './traces-context.ts';
import type { TracesContext } from './traces-context.ts';

/**
 * The convention that filled each field of a span (docs/semantics.md, "Field mapping"), as JSON text with the payloads as they are stored.
 *
 * Errors: `not_found` for a span that the project does not have, or that is older than the retention edge.
 */
export async function getSpanMapping(context: TracesContext, tenant: Tenant, traceId: string, spanId: string): Promise<string> {
  const reader = readerFor(context, tenant);
  // The empty id is the trace's own record, which is not a span.
  const row = spanId === '' ? undefined : (await readSpans(reader, traceId, [spanId])).get(spanId);
  if (!row) {
    throw new ServiceError(
      'not_found',
      'There is no such span in this project; check the ids of trace and span, or read the trace for its spans.',
    );
  }
  const inherited = row.agent_name === '' ? await inheritedAgent(reader, traceId, spanId) : null;
  const fields = (await context.mapper.map(storedSpan(row), inherited)).map(fieldJson);
  return `{"spanId":${JSON.stringify(spanId)},"source":"${row.source}","fields":[${fields.join(',')}]}`;
}

function fieldJson({ field, convention, attributes, json }: MappedField): string {
  return `${JSON.stringify({ field, convention, attributes }).slice(0, -1)},"value":${json}}`;
}

/** The span whose agent name a span takes: its nearest ancestor of kind `agent` with a name. */
async function inheritedAgent(reader: TenantReader, traceId: string, spanId: string): Promise<InheritedAgent | null> {
  const { shown } = await readNodes(reader, traceId, false);
  const nodes = new Map(shown.map((node) => [node.spanId, node]));
  const own = nodes.get(spanId);
  const agentName = (own && resolveTrace(shown).get(own)?.agentName) ?? '';
  if (own === undefined || agentName === '') return null;
  const seen = new Set([spanId]);
  for (let node = nodes.get(own.parentSpanId); node && !seen.has(node.spanId); node = nodes.get(node.parentSpanId)) {
    if (node.kind === 'agent' && node.agentName === agentName) return { agentName, spanId: node.spanId };
    seen.add(node.spanId);
  }
  return null;
}

function storedSpan(row: SpanRow): StoredSpan {
  return {
    traceId: row.trace_id,
    spanId: row.span_id,
    parentSpanId: row.parent_span_id,
    name: row.name,
    kind: row.kind,
    startNs: BigInt(row.start_ns),
    endNs: row.end_ns === null ? null : BigInt(row.end_ns),
    status: row.status,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    model: row.model,
    requestModel: row.request_model,
    provider: row.provider,
    agentName: row.agent_name,
    operation: row.operation,
    sessionId: row.session_id,
    userId: row.user_id,
    environment: row.environment,
    release: row.release,
    service: row.service,
    promptName: row.prompt_name,
    promptVersion: row.prompt_version,
    promptVersionType: row.prompt_version_type,
    tags: row.tags,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    reasoningTokens: row.reasoning_tokens,
    costUsd: row.cost_usd,
    costStatus: row.cost_status,
    timeToFirstTokenMs: row.ttft_ms,
    source: row.source,
    input: row.input,
    output: row.output,
    metadata: row.metadata,
    attributes: row.attributes,
    extra: row.extra,
  };
}
