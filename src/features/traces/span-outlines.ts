import { resolveTrace } from '../ingest/index.ts';
import type { TraceNode } from '../ingest/index.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import { nanosecondsSql } from './stored-text.ts';
import { treeOrder } from './tree-order.ts';

/** Most spans of one trace that are shown: the earliest. */
export const mostSpans = 20_000;

/** Where a span stands in its trace. */
export interface SpanPlace {
  spanId: string;
  depth: number;
  /** Its own, else the one it inherits; `''` for none. */
  agentName: string;
  /** About what its row takes in memory. */
  bytes: number;
}

export interface TraceOutline {
  /** In tree order. */
  places: SpanPlace[];
  /** The trace has its own record (a native `trace` event). */
  hasRecord: boolean;
  /** There are more spans than {@link mostSpans}. */
  truncated: boolean;
}

export interface OutlineNode extends TraceNode {
  startNs: bigint;
  bytes: number;
}

interface OutlineRow {
  span_id: string;
  parent_span_id: string;
  kind: TraceNode['kind'];
  start_ns: string;
  model: string;
  agent_name: string;
  source: TraceNode['source'];
  input_tokens: number | null;
  output_tokens: number | null;
  bytes: number;
}

/** SQL of {@link readNodes}; sizes cost a look at every payload. */
export function outlineSql(withSizes: boolean): string {
  // Input and output twice: the attributes may say them again, see `restoreCopies`.
  const bytes = withSizes
    ? 'byteSize(name, error_message, tags, input, input, output, output, metadata, attributes, extra)'
    : '0';
  return `SELECT span_id, parent_span_id, kind, ${nanosecondsSql('start_time')} AS start_ns, model, agent_name, source,
  input_tokens, output_tokens, ${bytes} AS bytes
FROM spans FINAL
PREWHERE trace_id = {trace:String}
ORDER BY span_id != '', start_time, span_id
LIMIT ${mostSpans + 2}`;
}

/** How a trace is built, without its payloads: those may be larger than memory. */
export async function readOutline(reader: TenantReader, traceId: string): Promise<TraceOutline> {
  const { shown, hasRecord, truncated } = await readNodes(reader, traceId, true);
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

interface ShownNodes extends Omit<TraceOutline, 'places'> {
  shown: OutlineNode[];
}

/** What the rules about a whole trace look at in the spans that are shown of it. */
export async function readNodes(reader: TenantReader, traceId: string, withSizes: boolean): Promise<ShownNodes> {
  const rows = await reader.query<OutlineRow>(outlineSql(withSizes), { trace: traceId });
  const spans = rows.filter((row) => row.span_id !== '').map(toNode);
  const shown = spans.slice(0, mostSpans);
  return { shown, hasRecord: spans.length < rows.length, truncated: spans.length > shown.length };
}

function toNode(row: OutlineRow): OutlineNode {
  return {
    spanId: row.span_id,
    parentSpanId: row.parent_span_id,
    kind: row.kind,
    startNs: BigInt(row.start_ns),
    model: row.model,
    agentName: row.agent_name,
    source: row.source,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    bytes: row.bytes,
  };
}
