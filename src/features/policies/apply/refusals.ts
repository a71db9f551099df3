import { maxEnvironments } from '../../../contract/environments.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { maxGuardrails } from '../../../contract/guardrails.ts';
import type { PlannedChange } from '../../../contract/policies.ts';
import { refuseInUse } from '../../environments/index.ts';
import { refuseLongConfigs } from '../../policy-revisions/index.ts';
import type { LockedPolicies, Specification } from '../../policy-revisions/index.ts';
import type { PoliciesContext } from '../policies-context.ts';

const named = ({ kind, name }: PlannedChange) => ({ kind, name });

/** Throws `policy_detached` when the files have a policy that was detached. */
export function refuseDetached(changes: readonly PlannedChange[]): void {
  const policies = changes.filter(({ detached }) => detached).map(named);
  if (policies.length === 0) return;
  throw new ServiceError(
    'policy_detached',
    `${listed(policies)} was detached in the dashboard; attach it there, or leave it out of the files.`,
    { extra: { policies } },
  );
}

/** Throws `removal_not_allowed` when something would be removed. */
export function refuseRemovals(changes: readonly PlannedChange[]): void {
  const removals = changes.filter(({ action }) => action === 'remove').map(named);
  if (removals.length === 0) return;
  throw new ServiceError(
    'removal_not_allowed',
    `Applying these files removes ${listed(removals)}; send allowRemoval to remove what no file names.`,
    { extra: { removals } },
  );
}

/** Throws `environment_in_use` when something still names a removed environment. Called when everything else is written. */
export async function refuseRemovingUsed(
  { attachedTo }: Pick<PoliciesContext, 'attachedTo'>,
  { transaction }: LockedPolicies,
  projectId: string,
  changes: readonly PlannedChange[],
): Promise<void> {
  const names = changes.filter(({ action, kind }) => action === 'remove' && kind === 'Environment').map(({ name }) => name);
  if (names.length > 0) refuseInUse(await attachedTo(transaction, projectId, names));
}

/** Throws `conflict` when a project would exceed what it may have. @param policies its policies with the files applied */
export function refuseFull(policies: readonly Specification[]): void {
  for (const [kind, most, what] of [
    ['Guardrail', maxGuardrails, 'guardrails'],
    ['Environment', maxEnvironments, 'environments'],
  ] as const) {
    const count = policies.filter((policy) => policy.kind === kind).length;
    if (count <= most) continue;
    throw new ServiceError(
      'conflict',
      `A project has at most ${most} ${what}, and with these files it has ${count}; remove some.`,
    );
  }
  const lengthOf = (policy: Specification) => (policy.kind === 'Guardrail' ? JSON.stringify(policy.spec.config).length : 0);
  refuseLongConfigs(policies.reduce((sum, policy) => sum + lengthOf(policy), 0));
}

function listed(policies: ReadonlyArray<{ kind: string; name: string }>): string {
  const shown = policies.slice(0, 3).map(({ kind, name }) => `${kind} ${name}`);
  return policies.length > 3 ? `${shown.join(', ')} and ${policies.length - 3} more` : shown.join(', ');
}
