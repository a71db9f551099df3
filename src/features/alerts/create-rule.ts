import { v7 as uuidv7 } from 'uuid';
import { maxAlertRules } from '../../contract/alerts.ts';
import type { AlertBody, AlertRule } from '../../contract/alerts.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { AlertsContext, RuleAuthor } from './alerts-context.ts';
import { checkRule } from './check-rule.ts';
import { recordRule } from './record-rule.ts';
import { fieldsOf, lockForRule } from './rule-fields.ts';
import { recordOf } from './rule-record.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/**
 * Creates an alert rule (docs/semantics.md, "Alert rules"). Secrets of its webhooks are in the answer, this once.
 *
 * Errors: `invalid_request` for fields that its type does not take, for its environment and its channels; `forbidden` for a webhook beyond the public internet, but by an
 * owner or admin; `conflict` for a taken name or too many rules.
 */
export async function createRule(
  context: AlertsContext,
  { administers, ...acting }: RuleAuthor,
  body: AlertBody,
): Promise<AlertRule> {
  const { db, clock, channels } = context;
  const { projectId } = acting;
  const fields = fieldsOf(body, checkRule(body));
  const checked = await channels.checkChannels({ projectId, ruleId: null, administers }, body.channels);
  return db.transaction().execute(async (transaction) => {
    await lockForRule(transaction, projectId, fields, null);
    await refuseTooMany(transaction, projectId);
    const now = new Date(clock.now());
    const row = await transaction
      .insertInto('alert_rules')
      .values({
        ...fields,
        id: uuidv7(),
        project_id: projectId,
        last_value: null,
        last_evaluated_at: null,
        last_error: null,
        observed_since: null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const saved = await channels.setChannels(transaction, projectId, row.id, checked);
    await recordRule(transaction, clock, acting, 'alert.created', row);
    return recordOf(row, saved);
  });
}

async function refuseTooMany(transaction: Transaction, projectId: string): Promise<void> {
  const { rules } = await transaction
    .selectFrom('alert_rules')
    .select((select) => select.fn.countAll<number>().as('rules'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (rules < maxAlertRules) return;
  throw new ServiceError('conflict', `A project has at most ${maxAlertRules} alert rules; delete one first.`);
}
