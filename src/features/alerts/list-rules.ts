import type { AlertPage, AlertRule, ListAlertsQuery } from '../../contract/alerts.ts';
import { byCreation } from '../../platform/keyset/index.ts';
import type { AlertsContext } from './alerts-context.ts';
import { findRule, recordOf } from './rule-record.ts';

const oldestFirst = byCreation('asc');
type Reading = Pick<AlertsContext, 'db' | 'channels'>;

/** The alert rules of a project, oldest first. Errors: `invalid_request` for a cursor of another list. */
export async function listRules({ db, channels }: Reading, projectId: string, query: ListAlertsQuery): Promise<AlertPage> {
  const select = db.selectFrom('alert_rules').selectAll().where('project_id', '=', projectId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  const own = await channels.channelsOf(
    db,
    rows.map(({ id }) => id),
  );
  return { alerts: rows.map((row) => recordOf(row, own.get(row.id) ?? [])), nextCursor };
}

/** An alert rule of a project. Errors: `not_found`. */
export async function getRule({ db, channels }: Reading, projectId: string, alertId: string): Promise<AlertRule> {
  const row = await findRule(db, projectId, alertId);
  return recordOf(row, (await channels.channelsOf(db, [row.id])).get(row.id) ?? []);
}
