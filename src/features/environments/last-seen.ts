import { retentionCutoff } from '../../contract/plans.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { EnvironmentsContext } from './environments-context.ts';

type Reading = Pick<EnvironmentsContext, 'clickhouse' | 'clock'>;

const dayMs = 86_400_000;
/** Names without a record are those on spans of the last 30 days. */
const unregisteredMs = 30 * dayMs;
export const maxUnregistered = 50;

export const lastSeenSql = `SELECT environment AS name, toUnixTimestamp64Milli(max(start_time)) AS last_ms
FROM spans FINAL
WHERE span_id != '' AND environment IN {names:Array(String)}
GROUP BY environment`;

export const seenUnregisteredSql = `SELECT environment AS name, toUnixTimestamp64Milli(max(start_time)) AS last_ms
FROM spans FINAL
WHERE span_id != '' AND environment != '' AND environment NOT IN {names:Array(String)}
  AND start_time >= fromUnixTimestamp64Milli({fromMs:Int64})
GROUP BY environment
ORDER BY last_ms DESC, name
LIMIT ${maxUnregistered}`;

interface SeenRow {
  name: string;
  last_ms: string;
}

/** The start of the newest span that carries each name, within the retention. Names without one are missing. */
export async function lastSeen(context: Reading, tenant: Tenant, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await readerFor(context, tenant).query<SeenRow>(lastSeenSql, { names: [...names] });
  return new Map(rows.map((row) => [row.name, timeOf(row)]));
}

/** Names on spans of the last 30 days other than the registered ones, the last seen first, then by name; at most 50. */
export async function seenUnregistered(
  context: Reading,
  tenant: Tenant,
  registered: readonly string[],
): Promise<Array<{ name: string; lastSeenAt: string }>> {
  const fromMs = context.clock.now() - unregisteredMs;
  const rows = await readerFor(context, tenant).query<SeenRow>(seenUnregisteredSql, { names: [...registered], fromMs });
  return rows.map((row) => ({ name: row.name, lastSeenAt: timeOf(row) }));
}

function readerFor({ clickhouse, clock }: Reading, { projectId, plan }: Tenant) {
  return clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
}

function timeOf({ last_ms: ms }: SeenRow): string {
  return new Date(Number(ms)).toISOString();
}
