import type { PlanAction, PlannedChange, PolicyKind, PolicySummary } from '../../../contract/policies.ts';
import { planActions, policyKinds } from '../../../contract/policies.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { Management, Specification } from '../../policy-revisions/index.ts';
import type { FilePolicy } from '../documents/files-read.ts';
import { differingFields } from './differing-fields.ts';

/** An environment or guardrail of a project. */
export type CurrentPolicy = Specification & Management;

/**
 * What applying files would change (docs/semantics.md, "Policies"): the files are everything that code manages. Ordered by action, kind and name.
 */
export function planChanges(current: readonly CurrentPolicy[], planned: readonly FilePolicy[]): PlannedChange[] {
  const named = new Map(current.map((policy) => [keyOf(policy), policy]));
  const kept = new Set(planned.map(keyOf));
  const changes = planned.map((policy) => changeOf(named.get(keyOf(policy)), policy));
  for (const policy of current) {
    if (policy.managedBy !== 'code' || kept.has(keyOf(policy))) continue;
    const { kind, name } = policy;
    changes.push({ action: 'remove', kind, name, path: null, adopt: false, detached: false, fields: [] });
  }
  return changes.toSorted(
    (left, right) =>
      planActions.indexOf(left.action) - planActions.indexOf(right.action) ||
      policyKinds.indexOf(left.kind) - policyKinds.indexOf(right.kind) ||
      compareCodePoints(left.name, right.name),
  );
}

function changeOf(current: CurrentPolicy | undefined, planned: FilePolicy): PlannedChange {
  const { kind, name, path } = planned;
  if (!current) return { action: 'create', kind, name, path, adopt: false, detached: false, fields: [] };
  const fields = differingFields(current, planned);
  const action: PlanAction = fields.length > 0 ? 'update' : 'none';
  const { detached, managedBy } = current;
  return { action, kind, name, path, adopt: managedBy === 'dashboard' && !detached, detached, fields };
}

/** The policies of a project when the files are applied: theirs, and what code does not manage. */
export function policiesAfter(current: readonly CurrentPolicy[], planned: readonly FilePolicy[]): Specification[] {
  const named = new Set(planned.map(keyOf));
  return [...planned, ...current.filter((policy) => policy.managedBy === 'dashboard' && !named.has(keyOf(policy)))];
}

/** How many changes there are of each action. */
export function summaryOf(changes: readonly PlannedChange[]): PolicySummary {
  const summary = { create: 0, update: 0, remove: 0, none: 0 };
  for (const { action } of changes) summary[action] += 1;
  return summary;
}

/** Whether two policies are the same one. */
export function keyOf({ kind, name }: { kind: PolicyKind; name: string }): string {
  return `${kind} ${name}`;
}
