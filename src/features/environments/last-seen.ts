import { retentionCutoff } from '../../contract/plans.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { EnvironmentsContext } from './environments-context.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { checkedSql, finalSql, keysSql, maxUnregistered, newestSql, ofKeysSql, unregisteredSql } from './last-seen-sql.ts';
import { dayMs } from '../../contract/durations.ts';

type Reading = Pick<EnvironmentsContext, 'clickhouse' | 'clock'>;

/** Names without a record are those on spans of the last 30 days. */
const unregisteredMs = 30 * dayMs;

/** A name and the start of a span, nanoseconds since the epoch. */
interface SeenRow {
  name: string;
  newest_ns: string;
}

interface SpanKey {
  trace_id: string;
  span_id: string;
}

/** The start of the newest span that carries each name, within the retention. Names without one are missing. */
export async function lastSeen(context: Reading, tenant: Tenant, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const reader = readerFor(context, tenant);
  const stored = await reader.query<SeenRow>(newestSql, { names: [...names] });
  return new Map((await verified(reader, stored, 0)).map((row) => [row.name, timeOf(row)]));
}

/** Names on spans and guardrail checks of the last 30 days other than the registered ones, the last seen first, then by name; at most 50. */
export async function seenUnregistered(
  context: Reading,
  tenant: Tenant,
  registered: readonly string[],
): Promise<Array<{ name: string; lastSeenAt: string }>> {
  const reader = readerFor(context, tenant);
  const fromMs = context.clock.now() - unregisteredMs;
  const parameters = { names: [...registered], fromMs };
  const [stored, checked] = await Promise.all([
    reader.query<SeenRow>(unregisteredSql, parameters),
    reader.query<SeenRow>(checkedSql, parameters),
  ]);
  const rows = [...(await verified(reader, stored, fromMs)), ...checked].toSorted(newestFirst);
  const newest = rows.filter(({ name }, index) => rows.findIndex((row) => row.name === name) === index);
  return newest.slice(0, maxUnregistered).map((row) => ({ name: row.name, lastSeenAt: timeOf(row) }));
}

/**
 * Replaces the newest stored rows, which may have been replaced or deleted since, by the newest spans. Looking up a few rows by their keys is some ten
 * times faster than `FINAL` over all rows of a project, which only the names need whose newest row is gone.
 */
async function verified(reader: TenantReader, stored: readonly SeenRow[], fromMs: number): Promise<SeenRow[]> {
  if (stored.length === 0) return [];
  const names = stored.map(({ name }) => name);
  const keys = await reader.query<SpanKey>(keysSql, { names, times: stored.map((row) => row.newest_ns) });
  const [traces, spans] = [keys.map((key) => key.trace_id), keys.map((key) => key.span_id)];
  const found = await reader.query<SeenRow>(ofKeysSql, { traces, spans });
  const times = new Map(found.map((row) => [row.name, row.newest_ns]));
  const gone = stored.filter((row) => times.get(row.name) !== row.newest_ns).map(({ name }) => name);
  if (gone.length === 0) return [...stored];
  const others = await reader.query<SeenRow>(finalSql, { names: gone, fromMs });
  return [...stored.filter(({ name }) => !gone.includes(name)), ...others];
}

function newestFirst(left: SeenRow, right: SeenRow): number {
  const [first, second] = [BigInt(left.newest_ns), BigInt(right.newest_ns)];
  return first > second ? -1 : first < second ? 1 : compareCodePoints(left.name, right.name);
}

function readerFor({ clickhouse, clock }: Reading, { projectId, plan }: Tenant): TenantReader {
  return clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
}

function timeOf({ newest_ns: ns }: SeenRow): string {
  return new Date(Number(BigInt(ns) / 1_000_000n)).toISOString();
}
