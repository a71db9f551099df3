import { dayMs } from '../../../contract/durations.ts';
import { systemActor } from '../../../contract/actor.ts';
import { LeaseLost } from '../../../platform/jobs/leased-queue/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { PricesContext } from '../prices-context.ts';
import { figuresOf, rangeDetail } from './repricing-record.ts';

type Stores = Pick<PricesContext, 'db' | 'clock'>;

/** How long ended repricings are kept, in milliseconds. */
const keptMs = 90 * dayMs;
const maxFailed = 100;

/**
 * Records the end of a repricing in the audit log, once; that of a dry run is not recorded.
 *
 * @param held `leaseId`: null for one that no process holds
 * Errors: {@link LeaseLost}
 */
export async function endRepricing(
  { db, clock }: Stores,
  { id, leaseId }: { id: string; leaseId: string | null },
  status: 'completed' | 'failed',
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('repricings')
      .set({ ended: true })
      .where('id', '=', id)
      .where('lease_id', leaseId === null ? 'is' : '=', leaseId)
      .where('ended', '=', false)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new LeaseLost();
    if (row.dry_run) return;
    const detail = { ...rangeDetail(row), status, ...figuresOf(row) };
    const { organization_id: organizationId, project_id: projectId } = row;
    const record = { organizationId, projectId, kind: 'repricing.ended', actor: systemActor, subject: id, detail } as const;
    await recordAudit(transaction, clock, record);
  });
}

/** Records the ends of failed repricings, and deletes old ones. @returns how many ends were recorded */
export async function recordFailedRepricings({ db, clock }: Stores): Promise<number> {
  const failed = await db
    .selectFrom('repricings')
    .select('id')
    .where('status', '=', 'failed')
    .where('ended', '=', false)
    .limit(maxFailed)
    .execute();
  for (const { id } of failed) await endRepricing({ db, clock }, { id, leaseId: null }, 'failed');
  await db
    .deleteFrom('repricings')
    .where('finished_at', '<', new Date(clock.now() - keptMs))
    .execute();
  return failed.length;
}
