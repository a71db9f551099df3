import { alertTypes } from '../../contract/alert-types/index.ts';
import type { AlertFilter, AlertRule } from '../../contract/alerts.ts';
import { uuidOrNull } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ChannelRecord } from '../../contract/notifications.ts';
import { conditionOf } from './condition.ts';
import type { Condition } from './condition.ts';
import type { RuleRow } from './tables.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** A rule as the API returns it. */
export function recordOf(row: RuleRow, channels: ChannelRecord[]): AlertRule {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    type: row.type,
    threshold: row.threshold,
    window: row.window_name,
    filter: filterOf(row),
    environment: row.environment,
    groupBy: row.group_by,
    count: row.count ?? alertTypes[row.type].counts?.[0] ?? null,
    minCount: row.min_count,
    forMinutes: row.for_minutes,
    recoveryThreshold: row.recovery_threshold ?? row.threshold,
    noData: row.no_data,
    renotifyMinutes: row.renotify_minutes,
    channels,
    enabled: row.enabled,
    state: row.state,
    lastValue: row.last_value,
    lastEvaluatedAt: row.last_evaluated_at?.toISOString() ?? null,
    lastError: row.last_error,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Only this feature writes filters, after they were checked. */
function filterOf({ filter }: Pick<RuleRow, 'filter'>): AlertFilter {
  return JSON.parse(filter) as AlertFilter;
}

/** The condition of a stored rule; null for a type that is not evaluated. */
export function conditionOfRow(row: RuleRow): Condition | null {
  return conditionOf(recordOf(row, []));
}

/**
 * A rule of a project by its id.
 *
 * @param lock whether to lock its row until the end of the transaction
 *
 * Errors: `not_found`.
 */
export async function findRule(db: Database, projectId: string, alertId: string, { lock = false } = {}): Promise<RuleRow> {
  const row = await db
    .selectFrom('alert_rules')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', uuidOrNull(alertId))
    .$if(lock, (select) => select.forUpdate())
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', 'There is no such alert rule in this project; list them to see which there are.');
  return row;
}
