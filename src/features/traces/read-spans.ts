import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { SpanRecord } from '../records/index.ts';
import { spans } from '../trace-store/index.ts';

/** A stored span with the first 200 characters of its input and output. Its agent name is its own, not an inherited one. */
export interface ReadSpan extends SpanRecord {
  inputPreview: string;
  outputPreview: string;
}

/** The previews of a row of `spans`. */
export interface Previews {
  input_preview: string;
  output_preview: string;
}

/** The columns of a {@link ReadSpan}. */
export function readSpanColumns(payloads: boolean): string {
  return `${spans.select({ payloads })}, input_preview, output_preview`;
}

/** @param row with {@link readSpanColumns} */
export function toReadSpan(row: Record<string, unknown> & Previews): ReadSpan {
  return Object.assign(spans.fromRow(row), { inputPreview: row.input_preview, outputPreview: row.output_preview });
}

/** SQL of {@link readSpans}. */
export function spansSql(payloads: boolean): string {
  return `SELECT ${readSpanColumns(payloads)}
FROM spans FINAL
PREWHERE trace_id = {trace:String} AND span_id IN {spans:Array(String)}`;
}

/** Spans of one trace by their ids; `''` is the trace's own record. */
export async function readSpans(
  reader: TenantReader,
  traceId: string,
  spanIds: readonly string[],
  payloads = true,
): Promise<Map<string, ReadSpan>> {
  if (spanIds.length === 0) return new Map();
  const rows = await reader.query<Record<string, unknown> & Previews>(spansSql(payloads), { trace: traceId, spans: spanIds });
  return new Map(rows.map(toReadSpan).map((span) => [span.spanId, span]));
}
