import type { PlannedChange, PolicyFile, PolicyPlan } from '../../../contract/policies.ts';
import { Refusal } from '../service/refusal.ts';
import { hasChanges, planLines } from './plan-lines.ts';
import { readPolicyFolder } from './policy-folder.ts';
import type { PolicyService } from './policy-service.ts';
import { readPlan } from './saved-plan.ts';
import { painter, visible } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ApplyFlags {
  /** With a saved plan: its files are applied unless a folder is given. */
  folder: string | undefined;
  json: boolean;
  autoApprove: boolean;
  allowRemoval: boolean;
  /** A file of `plan --out`. */
  plan?: string | undefined;
}

/**
 * `spanwise policy apply`: plans the files, or takes a saved plan, asks, and applies.
 *
 * @returns the exit code: 0 applied, 1 not
 */
export async function applyPolicies(terminal: Terminal, service: PolicyService, flags: ApplyFlags): Promise<number> {
  const { plan, files } = await planned(service, flags);
  // The plan goes to standard error with --json, where the question is too.
  const show = flags.json ? terminal.warn : terminal.print;
  for (const line of planLines(plan, painter(terminal.hasColors && !flags.json))) show(line);
  refuse(plan, flags);
  if (hasChanges(plan) && !(await approved(terminal, service, plan, flags))) {
    throw new Refusal('not applied; nothing has changed');
  }
  const done = await service.apply(plan.planId, files, flags.allowRemoval);
  if (flags.json) terminal.print(JSON.stringify(done));
  else terminal.print(`Applied ${countOf(done.applied.length)}: revision ${done.revision}, audit entry ${done.auditLogId}.`);
  return 0;
}

async function planned(service: PolicyService, flags: ApplyFlags): Promise<{ plan: PolicyPlan; files: PolicyFile[] }> {
  if (flags.plan === undefined) {
    const { policies: files } = await readPolicyFolder(flags.folder ?? '.');
    return { plan: await service.plan(files), files };
  }
  const saved = await readPlan(flags.plan);
  if (saved.project !== service.project) {
    throw new Refusal(`${flags.plan} is a plan of project ${saved.project}; give that with --project, or plan again`);
  }
  return { plan: saved.plan, files: flags.folder === undefined ? saved.files : (await readPolicyFolder(flags.folder)).policies };
}

/** Refuses what the service would refuse, before the user is asked to confirm. */
function refuse({ changes }: PolicyPlan, { allowRemoval }: ApplyFlags): void {
  const detached = changes.filter((change) => change.detached);
  if (detached.length > 0) {
    throw new Refusal(`attach these again, or take them out of the files: ${named(detached)}`, { code: 'policy_detached' });
  }
  const removed = changes.filter(({ action }) => action === 'remove');
  if (removed.length > 0 && !allowRemoval) {
    throw new Refusal(`these would be removed: ${named(removed)}; add --allow-removal if that is meant`, {
      code: 'removal_not_allowed',
    });
  }
}

async function approved(terminal: Terminal, service: PolicyService, plan: PolicyPlan, flags: ApplyFlags): Promise<boolean> {
  if (flags.autoApprove) return true;
  if (!terminal.canAsk) {
    throw new Refusal('there is no terminal to ask for approval; add --auto-approve to apply without being asked');
  }
  const removed = plan.changes.filter(({ action }) => action === 'remove');
  const removal = removed.length > 0 ? ` This removes ${named(removed)}.` : '';
  const question = `Apply this to project ${visible(service.project)} of ${visible(service.url)}?${removal} Type yes: `;
  return (await terminal.ask(question)) === 'yes';
}

function named(changes: readonly PlannedChange[]): string {
  return changes.map(({ kind, name }) => `${kind} ${visible(name)}`).join(', ');
}

function countOf(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}
