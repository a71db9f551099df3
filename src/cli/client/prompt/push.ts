import { NoAnswer, Refusal } from '../service/refusal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { painter, visible } from '../terminal/terminal.ts';
import { numberOf } from '../traces/figures.ts';
import { planPush } from './plan-push.ts';
import type { PlannedPush } from './plan-push.ts';
import { withVersion } from './prompt-file.ts';
import { readPromptFolder, writePromptFile } from './prompt-folder.ts';
import type { PromptService } from './prompt-service.ts';
import { differenceLines, pushLine } from './push-lines.ts';

export interface PushFlags {
  folder: string;
  json: boolean;
  /** Shows what would be done, with differences, and does nothing. */
  dryRun: boolean;
  /** Also files that were written from another version than the newest. */
  force: boolean;
  /** The commit message of new versions. */
  message: string;
}

/**
 * `spanwise prompt push`: creates a version of each prompt whose content differs from the newest, and sets labels, tags and folder. Nothing is pushed
 * where the service has another version than a file was written from, unless `force` is set. A file gets the number of its version.
 *
 * @returns the exit code: 0
 *
 * Errors: {@link Refusal} with what was pushed before.
 */
export async function pushPrompts(terminal: Terminal, service: PromptService, flags: PushFlags): Promise<number> {
  const { prompts, ignored } = await readPromptFolder(flags.folder);
  for (const file of ignored) terminal.warn(`${visible(file)} has no front matter and is left out`);
  const plan = planPush(prompts, await service.list(), flags.force);
  const paint = painter(terminal.hasColors);
  if (!flags.json) {
    for (const one of plan) {
      for (const line of pushLine(one, paint)) terminal.print(line);
      if (flags.dryRun && one.action !== 'none') for (const line of differenceLines(one, paint)) terminal.print(line);
    }
  }
  const conflicts = plan.filter(({ action }) => action === 'conflict');
  if (conflicts.length > 0) throw conflictOf(conflicts, flags);
  const done: object[] = [];
  for (const one of flags.dryRun ? [] : plan) done.push(resultOf(one, await pushed(service, one, flags, done)));
  if (flags.json) {
    terminal.print(JSON.stringify({ dryRun: flags.dryRun, prompts: flags.dryRun ? plan.map((one) => resultOf(one)) : done }));
  } else terminal.print(summaryOf(plan, flags.dryRun));
  return 0;
}

/** @returns the version that the service has now */
async function pushed(service: PromptService, one: PlannedPush, flags: PushFlags, done: readonly object[]): Promise<number> {
  const { local, stored, action, changes, labels } = one;
  const { name, tags, folder } = local;
  try {
    let version = stored?.version ?? 0;
    if (action === 'create' || action === 'version') version = await service.create(local, flags.message);
    if (action === 'update') {
      if (changes.includes('labels')) await service.putLabels(name, version, labels);
      if (changes.includes('tags') && tags) await service.putTags(name, tags);
      if (changes.includes('folder') && folder !== undefined) await service.putFolder(name, folder);
    }
    if (local.version !== version || (action !== 'none' && !local.isUnchanged))
      await writePromptFile(flags.folder, local.file, withVersion(local.file, local.text, version));
    return version;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const sentence = `${visible(name)}: ${error.message}${done.length === 0 ? '' : `; ${numberOf(done.length, 'prompt')} before it ${done.length === 1 ? 'is' : 'are'} pushed`}`;
    throw new (error instanceof NoAnswer ? NoAnswer : Refusal)(sentence, { ...error.detail, prompts: done });
  }
}

function conflictOf(conflicts: readonly PlannedPush[], { folder }: PushFlags): Refusal {
  const names = conflicts.map(({ local }) => local.name);
  return new Refusal(
    `nothing was pushed: the service has other versions than the files were written from (${names.map(visible).join(', ')}); see them with spanwise prompt pull into another folder than ${visible(folder)}, or add --force`,
    { conflicts: conflicts.map((one) => resultOf(one)) },
  );
}

function resultOf({ local, stored, action, changes }: PlannedPush, version: number | null = stored?.version ?? null): object {
  return { name: local.name, file: local.file, action, changes, version };
}

function summaryOf(plan: readonly PlannedPush[], dryRun: boolean): string {
  const count = (...actions: Array<PlannedPush['action']>) => plan.filter(({ action }) => actions.includes(action)).length;
  const figures = `${numberOf(count('create', 'version'), 'new version')}, ${count('update')} with other labels, tags or folder, ${count('none')} unchanged.`;
  return dryRun ? `Would push: ${figures}` : `Pushed: ${figures}`;
}
