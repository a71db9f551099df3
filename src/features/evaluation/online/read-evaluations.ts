import type { ClickHouse } from '../../../platform/clickhouse/index.ts';

/** Trace ids per query. */
const chunkSize = 1_000;

/** SQL of {@link readEvaluations}: the traces of the time are found by an index. */
export const evaluationsSql = `SELECT DISTINCT trace_id FROM traces FINAL
PREWHERE newest_time >= fromUnixTimestamp64Nano({from:Int64}) AND trace_id IN {traces:Array(String)}
WHERE origin = 'evaluation'`;

/** The traces of evaluations among those of spans that have just been written: not all of their spans say so themselves. */
export async function readEvaluations(
  clickhouse: ClickHouse,
  projectId: string,
  spans: ReadonlyArray<{ traceId: string; startNs: bigint }>,
): Promise<Set<string>> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const traceIds = [...new Set(spans.map(({ traceId }) => traceId))];
  const from = spans.reduce<bigint | null>((first, { startNs }) => (first === null || startNs < first ? startNs : first), null);
  const found = new Set<string>();
  for (let at = 0; at < traceIds.length; at += chunkSize) {
    const traces = traceIds.slice(at, at + chunkSize);
    for (const row of await reader.query<{ trace_id: string }>(evaluationsSql, { from: String(from ?? 0n), traces })) {
      found.add(row.trace_id);
    }
  }
  return found;
}
