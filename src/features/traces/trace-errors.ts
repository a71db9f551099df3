import type { ListedTrace } from '../../contract/traces.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import { textOf } from './stored-text.ts';

interface ErrorRow {
  trace_id: string;
  code: string;
  message: string;
}

/** The failed span that started last is usually the deepest, which is the cause. */
export const traceErrorsSql = `SELECT trace_id, argMax(error_code, (start_time, span_id)) AS code,
  leftUTF8(argMax(error_message, (start_time, span_id)), 200) AS message
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE status = 'error' AND span_id != ''
GROUP BY trace_id`;

/** The errors of failed traces by trace id: of each, that of the failed span that started last. */
export async function traceErrors(
  reader: TenantReader,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<ListedTrace['error']>>> {
  if (traceIds.length === 0) return new Map();
  const rows = await reader.query<ErrorRow>(traceErrorsSql, { traces: traceIds });
  return new Map(rows.map(({ trace_id: traceId, code, message }) => [traceId, { code: textOf(code), message: textOf(message) }]));
}
