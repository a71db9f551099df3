import { contentsOfCalls, resolveTrace } from '../trace-store/index.ts';
import type { ContentsOfCalls, ResolvedNode, TraceNode } from '../trace-store/index.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import { nanosecondsSql } from './stored-text.ts';
import { treeOrder } from './tree-order.ts';

/** Maximum spans of a trace in one response, the earliest first. */
export const maxSpans = 20_000;

/** A span's position in its trace, and what its trace determines of it. */
export interface SpanPlace {
  spanId: string;
  depth: number;
  rules: SpanRules;
  /** Approximate size of its row in memory. */
  bytes: number;
}

/** The fields that a span has by the rules about its trace. `''` for none. */
export interface SpanRules extends Pick<ResolvedNode, 'kind' | 'agentName' | 'sessionId' | 'errorCode' | 'contentFrom'> {
  /** null: that of the span. */
  errorMessage: string | null;
}

/** @param node with an error message that may be cut */
export function rulesOf(node: TraceNode, resolved: ReadonlyMap<TraceNode, ResolvedNode>): SpanRules {
  const own = resolved.get(node) ?? { ...node, contentFrom: '' };
  const { kind, agentName, sessionId, errorCode, errorMessage, contentFrom } = own;
  return {
    kind,
    agentName,
    sessionId,
    errorCode,
    errorMessage: errorMessage === node.errorMessage ? null : errorMessage,
    contentFrom,
  };
}

/** The span headers of a trace: its structure without payloads. */
export interface SpanHeaders {
  /** In tree order. */
  places: SpanPlace[];
  /** The first input and the last output of its calls. */
  contents: ContentsOfCalls;
  /** Whether the trace has its own record (a native `trace` event). */
  hasRecord: boolean;
  /** Whether there are more than {@link maxSpans} spans. */
  truncated: boolean;
}

export interface HeaderNode extends TraceNode {
  bytes: number;
}

interface HeaderRow {
  span_id: string;
  parent_span_id: string;
  span_name: string;
  kind: TraceNode['kind'];
  start_ns: string;
  end_ns: string | null;
  model: string;
  request_model: string;
  agent_name: string;
  tool_name: string;
  operation: string;
  session_id: string;
  failed: number;
  error_code: string;
  message: string;
  response_id: string;
  input_tokens: number | null;
  output_tokens: number | null;
  input_preview: string;
  output_preview: string;
  source: TraceNode['source'];
  bytes: number;
}

// Input and output count twice: the attributes may repeat them, see `restoreCopies`.
const sizeSql = 'byteSize(name, error_message, tags, input, input, output, output, metadata, attributes, extra)';

/** SQL of {@link readSizes}. */
export const sizesSql = `SELECT span_id, ${sizeSql} AS bytes
FROM spans FINAL
PREWHERE trace_id = {trace:String} AND span_id IN {spans:Array(String)}`;

/** The sizes of spans by id, as in {@link SpanPlace}. */
export async function readSizes(reader: TenantReader, traceId: string, spanIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await reader.query<{ span_id: string; bytes: number }>(sizesSql, { trace: traceId, spans: spanIds });
  return new Map(rows.map((row) => [row.span_id, row.bytes]));
}

const nodeColumns = `span_id, parent_span_id, name AS span_name, kind, ${nanosecondsSql('start_time')} AS start_ns, ${nanosecondsSql('end_time')} AS end_ns,
  model, request_model, agent_name, tool_name, operation, session_id, status = 'error' AS failed, error_code, leftUTF8(error_message, 200) AS message,
  response_id, input_tokens, output_tokens, left(input_preview, 1) AS input_preview, left(output_preview, 1) AS output_preview, source`;

/** SQL of {@link readNodes}; computing sizes reads every payload. */
export function headerSql(withSizes: boolean): string {
  return `SELECT ${nodeColumns}, ${withSizes ? sizeSql : '0'} AS bytes
FROM spans FINAL
PREWHERE trace_id = {trace:String}
ORDER BY span_id != '', start_time, span_id
LIMIT ${maxSpans + 2}`;
}

/** SQL of {@link readContentsOfCalls}. */
export const nodesOfTracesSql = `SELECT trace_id, ${nodeColumns}, 0 AS bytes
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE span_id != ''
ORDER BY trace_id, start_time, span_id
LIMIT ${maxSpans} BY trace_id`;

/** Trace ids in one query. */
const chunkSize = 100;

/** The first input and the last output of the calls of some traces, by trace id. */
export async function readContentsOfCalls(
  reader: TenantReader,
  traceIds: readonly string[],
): Promise<Map<string, ContentsOfCalls>> {
  const found = new Map<string, ContentsOfCalls>();
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const rows = await reader.query<HeaderRow & { trace_id: string }>(nodesOfTracesSql, {
      traces: traceIds.slice(at, at + chunkSize),
    });
    for (const [traceId, ofTrace] of Map.groupBy(rows, (row) => row.trace_id)) {
      found.set(traceId, contentsOfCalls(resolveTrace(ofTrace.map(toNode))));
    }
  }
  return found;
}

/** Reads the structure of a trace without payloads, which may be larger than memory. */
export async function readHeaders(reader: TenantReader, traceId: string, withSizes = true): Promise<SpanHeaders> {
  const { shown, hasRecord, truncated } = await readNodes(reader, traceId, withSizes);
  const resolved = resolveTrace(shown);
  return {
    places: treeOrder(shown).map(({ node, depth }) => ({
      spanId: node.spanId,
      depth,
      rules: rulesOf(node, resolved),
      bytes: node.bytes,
    })),
    contents: contentsOfCalls(resolved),
    hasRecord,
    truncated,
  };
}

interface ShownNodes extends Omit<SpanHeaders, 'places' | 'contents'> {
  shown: HeaderNode[];
}

/** The fields that the rules about a whole trace need, of the spans in the response. */
export async function readNodes(reader: TenantReader, traceId: string, withSizes: boolean): Promise<ShownNodes> {
  const rows = await reader.query<HeaderRow>(headerSql(withSizes), { trace: traceId });
  const spans = rows.filter((row) => row.span_id !== '').map(toNode);
  const shown = spans.slice(0, maxSpans);
  return { shown, hasRecord: spans.length < rows.length, truncated: spans.length > shown.length };
}

function toNode(row: HeaderRow): HeaderNode {
  return {
    spanId: row.span_id,
    parentSpanId: row.parent_span_id,
    name: row.span_name,
    kind: row.kind,
    startNs: BigInt(row.start_ns),
    endNs: row.end_ns === null ? null : BigInt(row.end_ns),
    model: row.model,
    requestModel: row.request_model,
    agentName: row.agent_name,
    toolName: row.tool_name,
    operation: row.operation,
    sessionId: row.session_id,
    error: row.failed === 1,
    errorCode: row.error_code,
    errorMessage: row.message,
    responseId: row.response_id,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    inputPreview: row.input_preview,
    outputPreview: row.output_preview,
    source: row.source,
    bytes: row.bytes,
  };
}
