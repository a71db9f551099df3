import { actorName } from '../../contract/actor.ts';
import type { Acting } from '../../contract/actor.ts';
import type { Finding } from '../../contract/model-lifecycle.ts';
import { recordAudit } from '../audit/index.ts';
import { findFinding, findingOf, lockFindings, stateColumns, stateOf } from './finding-rows.ts';
import { afterDismissal } from './finding-state.ts';
import type { LifecycleContext } from './lifecycle-context.ts';

/**
 * Dismisses a finding in its current band: it is not raised until it comes into a nearer one. A dismissed finding stays as it is.
 *
 * Errors: `not_found`.
 */
export async function dismissFinding(
  { db, clock }: Pick<LifecycleContext, 'db' | 'clock'>,
  { organizationId, projectId, actor }: Acting,
  findingId: string,
): Promise<Finding> {
  const now = new Date(clock.now());
  return db.transaction().execute(async (transaction) => {
    await lockFindings(transaction, projectId);
    const row = await findFinding(transaction, projectId, findingId);
    const found = findingOf(row, now.getTime());
    if (row.state === 'dismissed') return found;
    const columns = stateColumns(afterDismissal(stateOf(row), found.band, actorName(actor), now));
    await transaction.updateTable('lifecycle_findings').set(columns).where('id', '=', row.id).execute();
    const { model, provider, band, retiresOn } = found;
    const detail = { model, provider, band, retiresOn };
    await recordAudit(transaction, clock, {
      organizationId,
      projectId,
      kind: 'lifecycle.dismissed',
      actor,
      subject: row.id,
      detail,
    });
    return findingOf({ ...row, ...columns }, now.getTime());
  });
}
