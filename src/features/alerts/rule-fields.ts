import type { AlertBody } from '../../contract/alerts.ts';
import { ServiceError } from '../../contract/errors.ts';
import { lockPolicies } from '../policy-revisions/index.ts';
import type { CheckedCondition } from './check-rule.ts';
import type { RuleRow } from './tables.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/** Columns of a rule that a body sets. */
export type RuleFields = Pick<
  RuleRow,
  | 'name'
  | 'type'
  | 'threshold'
  | 'window_name'
  | 'filter'
  | 'environment'
  | 'group_by'
  | 'count'
  | 'min_count'
  | 'for_minutes'
  | 'recovery_threshold'
  | 'no_data'
  | 'renotify_minutes'
  | 'enabled'
>;

export function fieldsOf(
  body: Pick<AlertBody, 'name' | 'type' | 'forMinutes' | 'noData' | 'renotifyMinutes' | 'enabled'>,
  checked: CheckedCondition,
): RuleFields {
  return {
    name: body.name,
    type: body.type,
    threshold: checked.threshold,
    window_name: checked.window,
    filter: JSON.stringify(checked.filter),
    environment: checked.environment,
    group_by: checked.groupBy,
    count: checked.count,
    min_count: checked.minCount,
    for_minutes: body.forMinutes,
    recovery_threshold: checked.recoveryThreshold,
    no_data: body.noData,
    renotify_minutes: body.renotifyMinutes,
    enabled: body.enabled,
  };
}

/**
 * Locks what a rule's name and environment depend on: no other rule of the project is saved, and no environment is deleted, until the end of the transaction.
 *
 * Errors: `conflict` for a taken name; `invalid_request` for an environment without a record.
 */
export async function lockForRule(
  transaction: Transaction,
  projectId: string,
  { name, environment }: Pick<RuleFields, 'name' | 'environment'>,
  ruleId: string | null,
): Promise<void> {
  await lockPolicies(transaction, projectId);
  if (environment !== null) await requireEnvironment(transaction, projectId, environment);
  const taken = await transaction
    .selectFrom('alert_rules')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!taken || taken.id === ruleId) return;
  throw new ServiceError('conflict', `This project has an alert rule with the name ${name} already; choose another one.`, {
    details: [{ path: '/name', message: 'is taken' }],
  });
}

/** Errors: `invalid_request` for an environment without a record. */
export async function requireEnvironment(db: Database, projectId: string, environment: string): Promise<void> {
  const found = await db
    .selectFrom('environments')
    .select('name')
    .where('project_id', '=', projectId)
    .where('name', '=', environment)
    .executeTakeFirst();
  if (found) return;
  throw new ServiceError('invalid_request', `This project has no environment ${environment}; create it first.`, {
    details: [{ path: '/environment', message: 'is not the name of an environment' }],
  });
}
