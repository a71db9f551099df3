import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { GuardrailChange, GuardrailRecord } from '../../../contract/guardrails.ts';
import { changePolicies, specificationOfGuardrail, writePolicy } from '../../policy-revisions/index.ts';
import type { GuardrailSpec, PolicyChange } from '../../policy-revisions/index.ts';
import type { GuardrailsContext } from '../guardrails-context.ts';
import { checkEnvironments, checkSpecification } from './check-specification.ts';
import { findGuardrail, recordOf, refuseManagedByCode } from './guardrail-record.ts';
import { refuseTooMany } from './limits.ts';
import { recordGuardrailChange } from './record-guardrail.ts';
import { changedFields, changedSpecification } from './specification.ts';

const updated = { create: 0, update: 1, remove: 0 };

/**
 * Changes the given fields of a guardrail and checks the whole. A change to the same values counts no revision.
 *
 * Errors: `not_found`; `invalid_request`; `managed_by_code`; `conflict` when another request has changed what was checked together with the given fields.
 */
export async function changeGuardrail(
  context: GuardrailsContext,
  acting: Acting,
  guardrailId: string,
  change: GuardrailChange,
): Promise<GuardrailRecord> {
  const { projectId } = acting;
  const before = await findGuardrail(context.db, projectId, guardrailId);
  // Checked before the lock, since the check may take seconds.
  const checked = changedSpecification(specificationOfGuardrail(before).spec, change);
  const checkedSize = await checkSpecification(context, projectId, checked);
  return changePolicies(context, acting, 'dashboard', async (locked): Promise<PolicyChange<GuardrailRecord>> => {
    const { transaction } = locked;
    const row = await findGuardrail(transaction, projectId, before.id);
    const current = specificationOfGuardrail(row);
    const spec = changedSpecification(current.spec, change);
    await checkEnvironments(transaction, projectId, spec);
    refuseManagedByCode(row);
    const changed = changedFields(current.spec, spec);
    if (changed.length === 0) return { result: recordOf(row), recorded: null };
    const asBefore = sameCheck(spec, current.spec);
    const compiledSize = asBefore ? row.compiled_size : checkedSize;
    if (!asBefore && !sameCheck(spec, checked)) {
      throw new ServiceError('conflict', 'This guardrail was changed by another request meanwhile; read it and try again.');
    }
    if (changed.includes('config')) await refuseTooMany(transaction, projectId, row.slug, spec, compiledSize);
    // It stays detached: a file that names it is refused until it is attached again.
    const management = { managedBy: 'dashboard', detached: row.detached, path: row.path } as const;
    await writePolicy(locked, projectId, { ...current, spec, compiledSize }, management);
    const written = await findGuardrail(transaction, projectId, before.id);
    const auditLogId = await recordGuardrailChange(locked, context.clock, acting, written, changed);
    return { result: recordOf(written), recorded: { summary: updated, auditLogId } };
  });
}

/** Whether two specifications agree in what is checked together. */
function sameCheck(one: GuardrailSpec, other: GuardrailSpec): boolean {
  return !changedFields(one, other).some((field) => field === 'type' || field === 'action' || field === 'config');
}
