import { indented } from '../../../platform/clickhouse/index.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { sourceOf } from '../partly-expired.ts';
import { remainingSummaries } from '../remaining-summary.ts';
import { readersFor } from '../traces-context.ts';
import type { TracesContext } from '../traces-context.ts';

const partSize = 50_000;

/**
 * The ids of every stored trace of a user, none twice: of any age, of simulations too, and those that lists leave out. Of a partly expired trace also where only
 * what is left of it names the user.
 */
export async function* idsOfUser(
  context: Pick<TracesContext, 'clickhouse' | 'clock'>,
  tenant: Pick<Tenant, 'projectId' | 'plan'>,
  userId: string,
): AsyncGenerator<string[]> {
  const remaining = await remainingOf(context, tenant, userId);
  if (remaining.length > 0) yield remaining;
  const known = new Set(remaining);
  const whole = context.clickhouse.forTenant({ projectId: tenant.projectId, oldestMs: null });
  for (let after = ''; ;) {
    const rows = await whole.query<{ trace_id: string }>(idsOfUserSql(partSize), { user: userId, after });
    const part = rows.map((row) => row.trace_id);
    const fresh = part.filter((traceId) => !known.has(traceId));
    if (fresh.length > 0) yield fresh;
    if (part.length < partSize) return;
    after = part.at(-1) ?? '';
  }
}

/** SQL of a part of {@link idsOfUser}. */
export function idsOfUserSql(limit: number): string {
  return `SELECT DISTINCT trace_id FROM traces FINAL
WHERE user_id = {user:String} AND user_id != '' AND trace_id > {after:String}
ORDER BY trace_id
LIMIT ${limit}`;
}

async function remainingOf(
  context: Pick<TracesContext, 'clickhouse' | 'clock'>,
  tenant: Pick<Tenant, 'projectId' | 'plan'>,
  userId: string,
): Promise<string[]> {
  const { reader, partlyExpired } = await sourceOf(readersFor(context, tenant), 0n);
  if (partlyExpired === null) return [];
  const { text, parameters } = remainingSummaries(partlyExpired.traces, partlyExpired.edgeMs);
  const rows = await reader.query<{ trace_id: string }>(
    `SELECT trace_id FROM (\n  ${indented(text, 2)}\n)\nWHERE user_id = {user:String} AND user_id != ''`,
    { ...parameters, user: userId },
  );
  return rows.map((row) => row.trace_id);
}
