import type { PolicyPlan, PolicyRecord, PolicySummary, ProjectPolicies } from '../../api/policies.ts';

/** Why code does not manage a policy. */
export type Drift = ProjectPolicies['drift'][number]['reason'] | 'unmanaged';

/**
 * Why a policy counts as drift: what code does not manage in a project that has ever applied files. Null if it does not.
 *
 * @param applied whether the project has ever applied files
 */
export function driftOf({ managedBy, detached }: PolicyRecord, applied: boolean): Drift | null {
  if (!applied || managedBy === 'code') return null;
  return detached ? 'detached' : 'unmanaged';
}

const pastWords = { create: 'created', update: 'updated', remove: 'removed' } as const;
const planWords = { create: 'to create', update: 'to update', remove: 'to remove' } as const;
const actions = ['create', 'update', 'remove'] as const;

function join(summary: PolicySummary, words: Readonly<Record<(typeof actions)[number], string>>): string[] {
  return actions.filter((action) => summary[action] > 0).map((action) => `${summary[action]} ${words[action]}`);
}

/** What a revision changed: `1 created, 2 updated`. */
export function revisionText(summary: PolicySummary): string {
  const parts = join(summary, pastWords);
  return parts.length === 0 ? 'Adopted without changes' : parts.join(', ');
}

/** What a plan would change: `1 to create, 2 to remove, 3 unchanged`. */
export function planText({ summary }: Pick<PolicyPlan, 'summary'>): string {
  const parts = [...join(summary, planWords), ...(summary.none > 0 ? [`${summary.none} unchanged`] : [])];
  return parts.length === 0 ? 'No policies in the files or the project' : parts.join(', ');
}

/** Whether applying a plan counts a revision: it changes or adopts something. */
export function changesAnything({ changes }: Pick<PolicyPlan, 'changes'>): boolean {
  return changes.some(({ action, adopt }) => action !== 'none' || adopt);
}
