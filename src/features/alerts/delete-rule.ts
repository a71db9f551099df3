import type { Acting } from '../../contract/actor.ts';
import type { AlertsContext } from './alerts-context.ts';
import { recordRule } from './record-rule.ts';
import { findRule } from './rule-record.ts';

/** Deletes a rule. Resolves its open incidents, which notifies its channels; the incidents stay listed. Errors: `not_found`. */
export async function deleteRule(context: AlertsContext, acting: Acting, alertId: string): Promise<void> {
  const { db, clock, channels, incidents } = context;
  await db.transaction().execute(async (transaction) => {
    const row = await findRule(transaction, acting.projectId, alertId, { lock: true });
    const resolution = { at: new Date(clock.now()), by: 'system', resolution: 'rule deleted' };
    await incidents.resolveIncidentsOfRule(transaction, row.id, resolution);
    await channels.deleteChannels(transaction, row.id);
    await transaction.deleteFrom('alert_rules').where('id', '=', row.id).execute();
    await recordRule(transaction, clock, acting, 'alert.deleted', row);
  });
  channels.wake();
}
