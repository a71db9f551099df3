import { hasChanges, planLines } from './plan-lines.ts';
import { readPolicyFolder } from './policy-folder.ts';
import type { PolicyService } from './policy-service.ts';
import { replayLines } from './replay-lines.ts';
import { writePlan } from './saved-plan.ts';
import { painter } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface PlanFlags {
  folder: string;
  json: boolean;
  /** Hours of recorded calls over which the planned guardrails run. */
  replay?: number | undefined;
  /** Where the plan is written to. */
  out?: string | undefined;
  detailedExitcode: boolean;
}

/**
 * `spanwise policy plan`: prints what applying the files would change.
 *
 * @returns the exit code: 0; with `detailedExitcode` 2 where applying changes something
 */
export async function planPolicies(terminal: Terminal, service: PolicyService, flags: PlanFlags): Promise<number> {
  const { policies: files } = await readPolicyFolder(flags.folder);
  const plan = await service.plan(files, flags.replay);
  if (flags.out !== undefined) await writePlan(flags.out, { project: service.project, plan, files });
  if (flags.json) terminal.print(JSON.stringify(plan));
  else {
    const paint = painter(terminal.hasColors);
    for (const line of planLines(plan, paint)) terminal.print(line);
    if (plan.replay) for (const line of ['', ...replayLines(plan.replay, paint)]) terminal.print(line);
    if (flags.out !== undefined) {
      terminal.print(`Apply it until ${plan.expiresAt} with: spanwise policy apply --plan ${flags.out}`);
    }
  }
  return flags.detailedExitcode && hasChanges(plan) ? 2 : 0;
}
