import type { Acting } from '../../contract/actor.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { recordAudit } from '../audit/index.ts';
import type { RuleRow } from './tables.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

type Recorded = Pick<RuleRow, 'id' | 'name' | 'type' | 'enabled'>;

/** Records that a rule was created or deleted. Call last in the transaction. */
export async function recordRule(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  kind: 'alert.created' | 'alert.deleted',
  { id, name, type, enabled }: Recorded,
): Promise<void> {
  await recordAudit(transaction, clock, { organizationId, projectId, kind, actor, subject: id, detail: { name, type, enabled } });
}

/** Records which fields of a rule have changed. Call last in the transaction. */
export async function recordRuleChange(
  transaction: Transaction,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  { id, name, type, enabled }: Recorded,
  changed: string[],
): Promise<void> {
  const detail = { name, type, enabled, changed };
  await recordAudit(transaction, clock, { organizationId, projectId, kind: 'alert.updated', actor, subject: id, detail });
}
