import type { TenantReader } from '../../platform/clickhouse/index.ts';

/**
 * The number of outcomes of some traces within the retention.
 *
 * @param traces a SELECT of `trace_id`
 * @param parameters of that SELECT
 */
export async function countOutcomes(
  reader: TenantReader,
  traces: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<number> {
  const sql = `SELECT count() AS outcomes FROM outcomes FINAL WHERE trace_id GLOBAL IN (${traces})`;
  const [row] = await reader.query<{ outcomes: number }>(sql, parameters);
  return row?.outcomes ?? 0;
}
