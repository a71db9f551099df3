import type { ClickHouse, SqlPart, TenantReader } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { retainedSummaries, sourceOf } from './partly-expired.ts';
import { readersFor } from './traces-context.ts';

/**
 * Where other features read the summaries of traces, for their own queries: those of partly expired traces are made of what is left of them.
 *
 * @param columns of table `traces`, comma-separated, with `trace_id`
 * @returns FROM and WHERE over the summaries, and the reader for the query that contains it
 */
export async function retainedTraces(
  context: { clickhouse: ClickHouse; clock: Clock },
  tenant: Pick<Tenant, 'projectId' | 'plan'>,
  columns: string,
): Promise<{ reader: TenantReader; source: SqlPart }> {
  const readers = readersFor(context, tenant);
  const { reader, partlyExpired } = await sourceOf(readers, BigInt(readers.edgeMs) * 1_000_000n);
  return { reader, source: retainedSummaries({ text: '1 = 1', parameters: {} }, columns, partlyExpired) };
}
