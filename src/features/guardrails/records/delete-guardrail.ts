import type { Acting } from '../../../contract/actor.ts';
import { changePolicies, removePolicy } from '../../policy-revisions/index.ts';
import type { GuardrailsContext } from '../guardrails-context.ts';
import { findGuardrail, refuseManagedByCode } from './guardrail-record.ts';
import { recordGuardrail } from './record-guardrail.ts';

const removed = { create: 0, update: 0, remove: 1 };

/** Deletes a guardrail; its activity stays. Errors: `not_found`; `managed_by_code`. */
export async function deleteGuardrail(context: GuardrailsContext, acting: Acting, guardrailId: string): Promise<void> {
  const { projectId } = acting;
  await changePolicies(context, acting, 'dashboard', async (locked) => {
    const row = await findGuardrail(locked.transaction, projectId, guardrailId);
    refuseManagedByCode(row);
    await removePolicy(locked, projectId, 'Guardrail', row.slug);
    const auditLogId = await recordGuardrail(locked, context.clock, acting, 'guardrail.deleted', row);
    return { result: undefined, recorded: { summary: removed, auditLogId } };
  });
}
