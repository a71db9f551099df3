import type { AlertsContext } from './alerts-context.ts';
import { findRule } from './rule-record.ts';

/** Sends a test message to every channel of a rule. @returns ids of the deliveries. Errors: `not_found`. */
export async function testRule(
  { db, channels, projectPage }: Pick<AlertsContext, 'db' | 'channels' | 'projectPage'>,
  projectId: string,
  alertId: string,
): Promise<string[]> {
  const deliveries = await db.transaction().execute(async (transaction) => {
    const { id, name, type } = await findRule(transaction, projectId, alertId);
    return channels.notify(transaction, {
      projectId,
      rule: { id, name, type },
      type: 'test',
      incidentId: null,
      data: { summary: `This is a test of the alert rule ${name}.` },
      path: `${await projectPage(transaction, projectId)}/alerts/${id}`,
    });
  });
  channels.wake();
  return deliveries;
}
