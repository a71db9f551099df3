import type { AlertsContext } from './alerts-context.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/**
 * Announces raised model-lifecycle findings on the channels of the project's enabled rules of type `model-lifecycle`, in the caller's transaction.
 *
 * @param findings their records
 */
export async function raiseFindings(
  { channels, projectPage }: Pick<AlertsContext, 'channels' | 'projectPage'>,
  transaction: Transaction,
  projectId: string,
  findings: ReadonlyArray<Readonly<Record<string, unknown>>>,
): Promise<void> {
  if (findings.length === 0) return;
  const rules = await transaction
    .selectFrom('alert_rules')
    .select(['id', 'name', 'type'])
    .where('project_id', '=', projectId)
    .where('type', '=', 'model-lifecycle')
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
  if (rules.length === 0) return;
  const path = `${await projectPage(transaction, projectId)}/model-lifecycle`;
  for (const rule of rules) {
    for (const data of findings) {
      const type = 'model_lifecycle.raised';
      await channels.notify(transaction, { projectId, rule, type, incidentId: null, data, path });
    }
  }
}
