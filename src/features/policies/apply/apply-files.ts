import type { z } from 'zod';
import type { Acting } from '../../../contract/actor.ts';
import type { applyBody, PlannedChange, PolicyApplied } from '../../../contract/policies.ts';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import { recordAudit } from '../../audit/index.ts';
import { changePolicies, placePolicy, readPolicies, removePolicy, writePolicy } from '../../policy-revisions/index.ts';
import type { LockedPolicies } from '../../policy-revisions/index.ts';
import { missingConnections, missingEnvironments } from '../check-references.ts';
import { checkFiles } from '../documents/file-limits.ts';
import { firstFaults } from '../documents/files-read.ts';
import type { FilePolicy } from '../documents/files-read.ts';
import { currentPolicies } from '../plan/current-policies.ts';
import { keyOf, planChanges, policiesAfter, summaryOf } from '../plan/plan-changes.ts';
import type { CurrentPolicy } from '../plan/plan-changes.ts';
import { refuseTooLarge } from '../plan/refuse-too-large.ts';
import { hashedFiles, requirePlan } from '../plan/stored-plan.ts';
import type { PoliciesContext } from '../policies-context.ts';
import { refuseFaults } from '../read-valid-files.ts';
import { forgetDrift } from '../records/note-connection.ts';
import { refuseDetached, refuseFull, refuseRemovals, refuseRemovingUsed } from './refusals.ts';

/**
 * Applies planned files in one transaction (docs/semantics.md, "Policies").
 *
 * Errors: `invalid_policy` with `errors`; `invalid_request` and `payload_too_large` for paths and sizes; then `stale_plan`, `policy_detached`,
 * `removal_not_allowed`, `environment_in_use`, and `conflict` or `invalid_request` where a project would exceed its maximum.
 */
export async function applyFiles(
  context: PoliciesContext,
  acting: Acting,
  { planId, files, allowRemoval }: z.output<typeof applyBody>,
): Promise<PolicyApplied> {
  const { projectId } = acting;
  checkFiles(files);
  // Before the lock: reading may take a second, and the embedded database has no second connection for other features.
  const { policies: planned, faults, references } = await context.reader.read(projectId, files);
  refuseFaults(faults);
  const connections = await missingConnections(context, projectId, references);
  const hashed = hashedFiles(files);
  return changePolicies(context, acting, 'code', async (locked) => {
    await requirePlan(locked, projectId, planId, hashed);
    const environments = await missingEnvironments(locked.transaction, projectId, references);
    refuseFaults(firstFaults([...environments, ...connections]));
    const current = currentPolicies(await readPolicies(locked.transaction, projectId));
    const changes = planChanges(current, planned);
    refuseDetached(changes);
    if (!allowRemoval) refuseRemovals(changes);
    refuseTooLarge(policiesAfter(current, planned));
    await write(locked, projectId, { current, planned, changes });
    await forgetDrift(locked.transaction, projectId);
    await refuseRemovingUsed(context, locked, projectId, changes);
    refuseFull(policiesAfter(current, planned));
    reachFailpoint('policies-written');
    const summary = summaryOf(changes);
    const isChanged = changes.some(({ action, adopt }) => action !== 'none' || adopt);
    const revision = isChanged ? locked.nextRevision : locked.revision;
    const auditLogId = await recordAudit(locked.transaction, context.clock, {
      ...acting,
      kind: 'policy.applied',
      subject: projectId,
      detail: { planId, files: hashed.map(({ path, sha256 }) => ({ path, sha256 })), summary, revision },
    });
    const applied = changes.filter(({ action }) => action !== 'none').map(({ action, kind, name }) => ({ action, kind, name }));
    return {
      result: { applied, revision, auditLogId },
      recorded: isChanged ? { summary, auditLogId } : null,
      files: hashed,
    };
  });
}

interface Work {
  current: readonly CurrentPolicy[];
  planned: readonly FilePolicy[];
  changes: readonly PlannedChange[];
}

/** Writes the policies that differ. One that only moved to another file keeps `updated_by`. */
async function write(locked: LockedPolicies, projectId: string, { current, planned, changes }: Work): Promise<void> {
  const policies = new Map(planned.map((policy) => [keyOf(policy), policy]));
  const paths = new Map(current.map((policy) => [keyOf(policy), policy.path]));
  for (const change of changes) {
    const key = keyOf(change);
    const policy = policies.get(key);
    if (!policy) await removePolicy(locked, projectId, change.kind, change.name);
    else if (change.action !== 'none' || change.adopt) {
      await writePolicy(locked, projectId, policy, { managedBy: 'code', detached: false, path: policy.path });
    } else if (paths.get(key) !== policy.path) await placePolicy(locked, projectId, policy, policy.path);
  }
}
