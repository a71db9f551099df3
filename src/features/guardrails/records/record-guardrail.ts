import type { Acting } from '../../../contract/actor.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { recordAudit } from '../../audit/index.ts';
import type { GuardrailRow, LockedPolicies } from '../../policy-revisions/index.ts';

/** Records that a guardrail was created or deleted. Call last in the transaction. @returns the entry's id */
export function recordGuardrail(
  locked: LockedPolicies,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  kind: 'guardrail.created' | 'guardrail.deleted',
  row: GuardrailRow,
): Promise<string> {
  const detail = detailOf(locked, row);
  return recordAudit(locked.transaction, clock, { organizationId, projectId, kind, actor, subject: row.id, detail });
}

/** Records which fields of a guardrail have changed. Call last in the transaction. @returns the entry's id */
export function recordGuardrailChange(
  locked: LockedPolicies,
  clock: Clock,
  { organizationId, projectId, actor }: Acting,
  row: GuardrailRow,
  changed: string[],
): Promise<string> {
  const detail = { ...detailOf(locked, row), changed };
  return recordAudit(locked.transaction, clock, {
    organizationId,
    projectId,
    kind: 'guardrail.updated',
    actor,
    subject: row.id,
    detail,
  });
}

/** The configuration is omitted: it may exceed the size of an entry. */
function detailOf({ nextRevision }: LockedPolicies, { slug, type, action, enabled }: GuardrailRow) {
  return { slug, type, action, enabled, revision: nextRevision };
}
