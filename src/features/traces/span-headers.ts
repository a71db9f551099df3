import { resolveTrace } from '../trace-store/index.ts';
import type { TraceNode } from '../trace-store/index.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import { nanosecondsSql } from './stored-text.ts';
import { treeOrder } from './tree-order.ts';

/** Maximum spans of a trace in one response, the earliest first. */
export const maxSpans = 20_000;

/** A span's position in its trace. */
export interface SpanPlace {
  spanId: string;
  depth: number;
  /** Its own agent name, else the inherited one; `''` for none. */
  agentName: string;
  /** Approximate size of its row in memory. */
  bytes: number;
}

/** The span headers of a trace: its structure without payloads. */
export interface SpanHeaders {
  /** In tree order. */
  places: SpanPlace[];
  /** Whether the trace has its own record (a native `trace` event). */
  hasRecord: boolean;
  /** Whether there are more than {@link maxSpans} spans. */
  truncated: boolean;
}

export interface HeaderNode extends TraceNode {
  startNs: bigint;
  bytes: number;
}

interface HeaderRow {
  span_id: string;
  parent_span_id: string;
  kind: TraceNode['kind'];
  start_ns: string;
  model: string;
  agent_name: string;
  failed: number;
  response_id: string;
  input_tokens: number | null;
  output_tokens: number | null;
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

/** SQL of {@link readNodes}; computing sizes reads every payload. */
export function headerSql(withSizes: boolean): string {
  const bytes = withSizes ? sizeSql : '0';
  return `SELECT span_id, parent_span_id, kind, ${nanosecondsSql('start_time')} AS start_ns, model, agent_name, status = 'error' AS failed,
  response_id, input_tokens, output_tokens, ${bytes} AS bytes
FROM spans FINAL
PREWHERE trace_id = {trace:String}
ORDER BY span_id != '', start_time, span_id
LIMIT ${maxSpans + 2}`;
}

/** Reads the structure of a trace without payloads, which may be larger than memory. */
export async function readHeaders(reader: TenantReader, traceId: string, withSizes = true): Promise<SpanHeaders> {
  const { shown, hasRecord, truncated } = await readNodes(reader, traceId, withSizes);
  const resolved = resolveTrace(shown);
  return {
    places: treeOrder(shown).map(({ node, depth }) => ({
      spanId: node.spanId,
      depth,
      agentName: resolved.get(node)?.agentName ?? '',
      bytes: node.bytes,
    })),
    hasRecord,
    truncated,
  };
}

interface ShownNodes extends Omit<SpanHeaders, 'places'> {
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
    kind: row.kind,
    startNs: BigInt(row.start_ns),
    model: row.model,
    agentName: row.agent_name,
    error: row.failed === 1,
    responseId: row.response_id,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    bytes: row.bytes,
  };
}
