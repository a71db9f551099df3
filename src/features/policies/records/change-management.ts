import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { PolicyRecord } from '../../../contract/policies.ts';
import { recordAudit } from '../../audit/index.ts';
import { changePolicies, managePolicy } from '../../policy-revisions/index.ts';
import type { PoliciesContext } from '../policies-context.ts';
import { findPolicy } from './find-policy.ts';
import type { FoundPolicy } from './find-policy.ts';
import { hashesOf, recordOf } from './list-policies.ts';

/** Gives a policy that code manages to the dashboard. Errors: `not_found`; `conflict` for one that code does not manage. */
export function detachPolicy(context: PoliciesContext, acting: Acting, policyId: string): Promise<PolicyRecord> {
  return changeManagement(context, acting, policyId, {
    kind: 'policy.detached',
    to: { managedBy: 'dashboard', detached: true },
    refuse: ({ row, name }) =>
      row.managed_by === 'code' ? null : `Policy files do not manage ${name}; only what they manage can be detached.`,
  });
}

/** Gives a detached policy back to code. Errors: `not_found`; `conflict` for one that is not detached. */
export function attachPolicy(context: PoliciesContext, acting: Acting, policyId: string): Promise<PolicyRecord> {
  return changeManagement(context, acting, policyId, {
    kind: 'policy.attached',
    to: { managedBy: 'code', detached: false },
    refuse: ({ row, name }) =>
      row.detached ? null : `${name} is not detached; to manage it by code, write it into a policy file and apply that.`,
  });
}

interface Change {
  kind: 'policy.detached' | 'policy.attached';
  to: { managedBy: 'dashboard' | 'code'; detached: boolean };
  /** Why the change is a conflict, or null. */
  refuse(policy: FoundPolicy): string | null;
}

function changeManagement(
  context: PoliciesContext,
  acting: Acting,
  policyId: string,
  { kind: auditKind, to, refuse }: Change,
): Promise<PolicyRecord> {
  const { projectId } = acting;
  return changePolicies(context, acting, 'dashboard', async (locked) => {
    const found = await findPolicy(locked.transaction, projectId, policyId);
    const refusal = refuse(found);
    if (refusal !== null) throw new ServiceError('conflict', refusal);
    const { kind, name } = found;
    await managePolicy(locked, projectId, { kind, name }, to);
    const { row } = await findPolicy(locked.transaction, projectId, policyId);
    const auditLogId = await recordAudit(locked.transaction, context.clock, {
      ...acting,
      kind: auditKind,
      subject: policyId,
      detail: { kind, name, revision: locked.nextRevision },
    });
    return {
      result: recordOf(kind, name, row, hashesOf(locked.files)),
      recorded: { summary: { create: 0, update: 1, remove: 0 }, auditLogId },
    };
  });
}
