import type { ListedTrace } from '../../contract/traces.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import { textOf } from './stored-text.ts';
import type { ListedRow } from './trace-summary.ts';

type TraceError = ListedTrace['error'];

interface ErrorRow {
  trace_id: string;
  code: string;
  message: string;
}

export const traceErrorsSql = `SELECT trace_id, argMax(error_code, (start_time, span_id)) AS code,
  leftUTF8(argMax(error_message, (start_time, span_id)), 200) AS message
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE status = 'error' AND span_id != ''
GROUP BY trace_id`;

/**
 * The errors of listed traces: of each failed one, that of the failed span that started last, which is usually the deepest and the cause. Rows of failed traces
 * that an earlier release derived have none; theirs are read from the spans.
 */
export async function errorsOf(reader: TenantReader, rows: readonly ListedRow[]): Promise<(row: ListedRow) => TraceError> {
  const missing = rows.flatMap((row) => (lacksError(row) ? [row.trace_id] : []));
  const read = missing.length === 0 ? [] : await reader.query<ErrorRow>(traceErrorsSql, { traces: missing });
  const byTrace = new Map(read.map((row) => [row.trace_id, errorOf(row.code, row.message)]));
  return (row) => {
    if (row.error === 0) return null;
    return lacksError(row) ? (byTrace.get(row.trace_id) ?? null) : errorOf(row.error_code, row.error_message);
  };
}

/** A failed span always has a code (`SpanRecord.errorCode`). */
function lacksError(row: ListedRow): boolean {
  return row.error === 1 && row.error_code === '';
}

function errorOf(code: string, message: string): TraceError {
  return { code: textOf(code), message: textOf(message) };
}
