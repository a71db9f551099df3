import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { PlannedChange, PolicyRecord } from '../../../contract/policies.ts';
import { recordAudit } from '../../audit/index.ts';
import {
  changePolicies,
  managePolicy,
  specificationOfEnvironment,
  specificationOfGuardrail,
} from '../../policy-revisions/index.ts';
import type { LockedPolicies } from '../../policy-revisions/index.ts';
import { differingFields } from '../plan/differing-fields.ts';
import type { PoliciesContext } from '../policies-context.ts';
import { readAppliedFiles } from './applied-files.ts';
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
    differs: () => Promise.resolve(false),
  });
}

/**
 * Gives a detached policy back to code.
 *
 * @param force also where it differs from its file, which is drift until files are applied
 * Errors: `not_found`; `conflict` for one that is not detached; `differs_from_file` with `fields`, as a plan of the file has them.
 */
export function attachPolicy(
  context: PoliciesContext,
  acting: Acting,
  policyId: string,
  { force }: { force: boolean },
): Promise<PolicyRecord> {
  return changeManagement(context, acting, policyId, {
    kind: 'policy.attached',
    to: { managedBy: 'code', detached: false },
    refuse: ({ row, name }) =>
      row.detached ? null : `${name} is not detached; to manage it by code, write it into a policy file and apply that.`,
    differs: async (found, locked) => {
      const fields = await fieldsAgainstFile(context, acting.projectId, found, locked);
      if (fields.length === 0) return false;
      if (force) return true;
      const sentence = `${found.name} differs from its file; change it back, or attach it with force and apply the file afterwards.`;
      throw new ServiceError('differs_from_file', sentence, { extra: { fields } });
    },
  });
}

/** What applying the file of a policy would change in it; nothing where the applied files do not have it. */
async function fieldsAgainstFile(
  { reader }: Pick<PoliciesContext, 'reader'>,
  projectId: string,
  { kind, name, row }: FoundPolicy,
  { transaction, files }: LockedPolicies,
): Promise<PlannedChange['fields']> {
  const applied = files.filter(({ path }) => path === row.path);
  const { policies } = await reader.read(projectId, await readAppliedFiles(transaction, projectId, applied));
  const inFile = policies.find((policy) => policy.kind === kind && policy.name === name);
  if (!inFile) return [];
  const current = 'slug' in row ? specificationOfGuardrail(row) : specificationOfEnvironment(row);
  return differingFields(current, inFile);
}

interface Change {
  kind: 'policy.detached' | 'policy.attached';
  to: { managedBy: 'dashboard' | 'code'; detached: boolean };
  /** Why the change is a conflict, or null. */
  refuse(policy: FoundPolicy): string | null;
  /** Whether the policy differs from its file from now on. */
  differs(policy: FoundPolicy, locked: LockedPolicies): Promise<boolean>;
}

function changeManagement(
  context: PoliciesContext,
  acting: Acting,
  policyId: string,
  { kind: auditKind, to, refuse, differs }: Change,
): Promise<PolicyRecord> {
  const { projectId } = acting;
  return changePolicies(context, acting, 'dashboard', async (locked) => {
    const found = await findPolicy(locked.transaction, projectId, policyId);
    const refusal = refuse(found);
    if (refusal !== null) throw new ServiceError('conflict', refusal);
    const { kind, name } = found;
    await managePolicy(locked, projectId, { kind, name }, { ...to, differs: await differs(found, locked) });
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
