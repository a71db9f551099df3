import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { GuardrailChange, GuardrailRecord } from '../../../contract/guardrails.ts';
import { changePolicies, specificationOfGuardrail, writePolicy } from '../../policy-revisions/index.ts';
import type { GuardrailRow, GuardrailSpec, PolicyChange } from '../../policy-revisions/index.ts';
import type { GuardrailsContext } from '../guardrails-context.ts';
import { checkEnvironments, checkSpecification } from './check-specification.ts';
import { findGuardrail, recordOf, refuseManagedByCode } from './guardrail-record.ts';
import { refuseTooMany } from './limits.ts';
import { recordGuardrailChange } from './record-guardrail.ts';
import { changedFields, changedSpecification } from './specification.ts';

const maxTries = 5;
const updated = { create: 0, update: 1, remove: 0 };

/**
 * Changes the given fields of a guardrail and checks the whole. A change to the same values counts no revision.
 *
 * Errors: `not_found`; `invalid_request`; `managed_by_code`; `conflict` when other requests keep changing it.
 */
export async function changeGuardrail(
  context: GuardrailsContext,
  acting: Acting,
  guardrailId: string,
  change: GuardrailChange,
): Promise<GuardrailRecord> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await findGuardrail(context.db, acting.projectId, guardrailId);
    const after = changedSpecification(specificationOfGuardrail(before).spec, change);
    await checkSpecification(context, acting.projectId, after);
    const changed = await write(context, acting, before, after);
    if (changed) return changed;
  }
  throw new ServiceError('conflict', 'This guardrail was changed by another request; read it and try again.');
}

/** Returns null when the guardrail has changed since `before`, and so was not checked as a whole. */
function write(
  context: GuardrailsContext,
  acting: Acting,
  before: GuardrailRow,
  spec: GuardrailSpec,
): Promise<GuardrailRecord | null> {
  const { projectId } = acting;
  return changePolicies(context, acting, 'dashboard', async (locked): Promise<PolicyChange<GuardrailRecord | null>> => {
    const { transaction } = locked;
    const row = await findGuardrail(transaction, projectId, before.id);
    const current = specificationOfGuardrail(row);
    if (changedFields(specificationOfGuardrail(before).spec, current.spec).length > 0) return { result: null, recorded: null };
    await checkEnvironments(transaction, projectId, spec);
    refuseManagedByCode(row);
    const changed = changedFields(current.spec, spec);
    if (changed.length === 0) return { result: recordOf(row), recorded: null };
    if (changed.includes('config')) await refuseTooMany(transaction, projectId, row.slug, spec);
    // It stays detached: a file that names it is refused until it is attached again.
    const management = { managedBy: 'dashboard', detached: row.detached, path: row.path } as const;
    await writePolicy(locked, projectId, { ...current, spec }, management);
    const written = await findGuardrail(transaction, projectId, before.id);
    const auditLogId = await recordGuardrailChange(locked, context.clock, acting, written, changed);
    return { result: recordOf(written), recorded: { summary: updated, auditLogId } };
  });
}
