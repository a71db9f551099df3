import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { hourMs, dayMs } from '../../contract/durations.ts';
import { plans } from '../../contract/plans.ts';
import type { UserDataReceipt } from '../../contract/user-data.ts';
import { canonicalJson } from '../../platform/json/index.ts';
import type { Transaction } from '../../platform/postgres/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { RunningJob } from '../jobs/index.ts';
import type { DeletionContext, UserDeletion } from './user-data-context.ts';

/** The log has events for seconds, and payloads are overwritten on disk within minutes. */
const longestInLogMs = hourMs;

/**
 * The receipt of a deletion, with its entry in the audit log; of one that was finished before, the same. To be called when every trace is deleted.
 */
export async function receiptOf(
  { clock, mode }: Pick<DeletionContext, 'clock' | 'mode'>,
  transaction: Transaction,
  { id, organizationId, projectId, actor, input }: RunningJob<UserDeletion, null>,
): Promise<UserDataReceipt> {
  const row = await transaction
    .selectFrom('user_deletions')
    .selectAll()
    .where('job_id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.receipt !== null) return JSON.parse(row.receipt) as UserDataReceipt;
  const backedUp = mode !== 'embedded' || (await hasBackup(transaction));
  const rest = {
    userIdSha256: input.userIdSha256,
    traces: row.traces,
    spans: row.spans,
    scores: row.scores,
    outcomes: row.outcomes,
    until: new Date(untilMs(clock.now(), backedUp ? row.newest_ms : null, input)).toISOString(),
  };
  const receipt = { ...rest, sha256: createHash('sha256').update(canonicalJson(rest)).digest('hex') };
  await transaction
    .updateTable('user_deletions')
    .set({ receipt: JSON.stringify(receipt) })
    .where('job_id', '=', id)
    .execute();
  const kind = 'user_data.deleted';
  const subject = input.userIdSha256;
  await recordAudit(transaction, clock, { organizationId, projectId, actor, kind, subject, detail: { jobId: id, ...receipt } });
  return receipt;
}

/** @param newestMs start of the newest record that a backup may have; what a backup restores is shown until it has expired */
function untilMs(nowMs: number, newestMs: number | null, { plan }: UserDeletion): number {
  const expiresMs = newestMs === null ? 0 : newestMs + plans[plan].retentionDays * dayMs;
  return Math.max(nowMs + longestInLogMs, expiresMs);
}

async function hasBackup(transaction: Transaction): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM backup_runs LIMIT 1`.execute(transaction);
  return rows.length > 0;
}
