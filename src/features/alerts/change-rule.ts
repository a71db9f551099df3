import { isDeepStrictEqual } from 'node:util';
import { alertTypes } from '../../contract/alert-types/index.ts';
import type { AlertChange, AlertRule } from '../../contract/alerts.ts';
import type { AlertsContext, RuleAuthor } from './alerts-context.ts';
import { checkRule } from './check-rule.ts';
import { recordRuleChange } from './record-rule.ts';
import { fieldsOf, lockForRule } from './rule-fields.ts';
import type { RuleFields } from './rule-fields.ts';
import { conditionOfRow, findRule, recordOf } from './rule-record.ts';
import type { RuleRow } from './tables.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/**
 * Changes a rule. Where its condition changes, or where it is disabled, its open incidents are resolved (docs/semantics.md, "Alert rules"). Secrets
 * of webhooks that the change sets are in the answer, this once.
 *
 * Errors: as `createRule`, and `not_found`.
 */
export async function changeRule(
  context: AlertsContext,
  { administers, ...acting }: RuleAuthor,
  alertId: string,
  change: AlertChange,
): Promise<AlertRule> {
  const { db, clock, channels } = context;
  const { projectId } = acting;
  // Before the transaction: what cannot be saved is refused without a lock, and addresses are looked up.
  const found = await findRule(db, projectId, alertId);
  changedFields(found, change);
  const saver = { projectId, ruleId: found.id, administers };
  const checked = change.channels ? await channels.checkChannels(saver, change.channels) : null;
  const record = await db.transaction().execute(async (transaction) => {
    const current = await findRule(transaction, projectId, alertId);
    await lockForRule(transaction, projectId, changedFields(current, change), current.id);
    const before = await findRule(transaction, projectId, alertId, { lock: true });
    const fields = changedFields(before, change);
    const row = await store(context, transaction, before, fields);
    const own = (await channels.channelsOf(transaction, [row.id])).get(row.id) ?? [];
    const saved = checked ? await channels.setChannels(transaction, projectId, row.id, checked) : own;
    const changed = [
      ...namesOfChanged(recordOf(before, []), recordOf(row, [])),
      ...(isDeepStrictEqual(own, saved) ? [] : ['channels']),
    ];
    if (changed.length === 0) return recordOf(before, saved);
    await recordRuleChange(transaction, clock, acting, row, changed);
    return recordOf(await touch(transaction, row, new Date(clock.now())), saved);
  });
  channels.wake();
  return record;
}

/** A field that the change leaves out keeps its value. A threshold and a count mean something else for another type, and are given anew. */
function changedFields(before: RuleRow, change: AlertChange): RuleFields {
  const stored = recordOf(before, []);
  const { type = stored.type } = change;
  const same = type === stored.type;
  const {
    name = stored.name,
    threshold = same ? stored.threshold : null,
    recoveryThreshold = same ? before.recovery_threshold : null,
    count = same ? stored.count : null,
    minCount = same ? stored.minCount : null,
    window = !alertTypes[type].window && !same ? null : stored.window,
    filter = stored.filter,
    environment = stored.environment,
    groupBy = stored.groupBy,
    forMinutes = stored.forMinutes,
    noData = stored.noData,
    renotifyMinutes = stored.renotifyMinutes,
    enabled = stored.enabled,
  } = change;
  const condition = {
    type,
    threshold,
    recoveryThreshold,
    count,
    minCount,
    window,
    filter,
    environment,
    groupBy,
    forMinutes,
    noData,
  };
  const merged = { ...condition, name, renotifyMinutes, enabled };
  return fieldsOf(merged, checkRule(merged));
}

/** Stores the fields, and resolves the incidents that were opened for another condition. */
async function store(
  { incidents, clock }: AlertsContext,
  transaction: Transaction,
  before: RuleRow,
  fields: RuleFields,
): Promise<RuleRow> {
  const after = { ...before, ...fields };
  const conditionChanged = !isDeepStrictEqual(conditionOfRow(before), conditionOfRow(after));
  const disabled = before.enabled && !fields.enabled;
  const starts = conditionChanged || before.enabled !== fields.enabled;
  if (starts) {
    const resolution = disabled ? 'rule disabled' : 'rule changed';
    const at = new Date(clock.now());
    await incidents.resolveIncidentsOfRule(transaction, before.id, { at, by: 'system', resolution });
    await transaction.deleteFrom('alert_scopes').where('rule_id', '=', before.id).execute();
  }
  const anew = { state: 'ok', last_value: null, last_evaluated_at: null, last_error: null, observed_since: null } as const;
  return transaction
    .updateTable('alert_rules')
    .set({ ...fields, ...(starts ? anew : {}) })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function touch(transaction: Transaction, { id, version }: RuleRow, now: Date): Promise<RuleRow> {
  return transaction
    .updateTable('alert_rules')
    .set({ updated_at: now, version: version + 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const settable = [
  'name',
  'type',
  'threshold',
  'window',
  'filter',
  'environment',
  'groupBy',
  'count',
  'minCount',
  'forMinutes',
  'recoveryThreshold',
  'noData',
  'renotifyMinutes',
  'enabled',
] as const;

function namesOfChanged(before: AlertRule, after: AlertRule): string[] {
  return settable.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}
