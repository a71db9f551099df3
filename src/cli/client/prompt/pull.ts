import { isDeepStrictEqual } from 'node:util';
import type { Terminal } from '../terminal/terminal.ts';
import { painter, visible } from '../terminal/terminal.ts';
import { numberOf } from '../traces/figures.ts';
import { fileNamesOf } from './file-name.ts';
import { isSameContent, promptFileText } from './prompt-file.ts';
import { makeFolder, readPromptFolder, writePromptFile } from './prompt-folder.ts';
import type { LocalPrompt } from './prompt-folder.ts';
import type { PromptService, StoredPrompt } from './prompt-service.ts';

export interface PullFlags {
  folder: string;
  json: boolean;
  /** Overwrites files that were changed here. */
  force: boolean;
}

/** File names by what happens to them. */
interface Pulled {
  created: string[];
  updated: string[];
  unchanged: string[];
  /** Changed here since they were written: they stay. */
  conflicts: string[];
  /** Of prompts that the service does not have: they stay. */
  localOnly: string[];
}

/**
 * `spanwise prompt pull`: writes the newest version of every prompt to a file. A file that was changed here stays, unless `force` is set.
 *
 * @returns the exit code: 0, or 1 where files stayed because they were changed here
 */
export async function pullPrompts(terminal: Terminal, service: PromptService, flags: PullFlags): Promise<number> {
  const stored = await service.list();
  await makeFolder(flags.folder);
  const { prompts, files } = await readPromptFolder(flags.folder);
  const local = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  const missing = stored.flatMap(({ name }) => (local.has(name) ? [] : [name]));
  // A Markdown file of something else keeps its name.
  const names = fileNamesOf(missing, files);
  const pulled: Pulled = { created: [], updated: [], unchanged: [], conflicts: [], localOnly: [] };
  for (const one of stored) {
    const here = local.get(one.name);
    const file = here?.file ?? names.get(one.name) ?? '';
    const kind = here ? kindOf(here, one, flags.force) : 'created';
    pulled[kind].push(file);
    if (kind === 'created' || kind === 'updated') await writePromptFile(flags.folder, file, promptFileText(one));
  }
  const known = new Set(stored.map(({ name }) => name));
  pulled.localOnly = prompts.flatMap(({ name, file }) => (known.has(name) ? [] : [file]));
  report(terminal, pulled, flags);
  return pulled.conflicts.length > 0 ? 1 : 0;
}

function kindOf(here: LocalPrompt, stored: StoredPrompt, force: boolean): 'updated' | 'unchanged' | 'conflicts' {
  const isSame =
    here.version === stored.version &&
    isSameContent(here, stored) &&
    isDeepStrictEqual(new Set(here.labels), new Set(stored.labels)) &&
    (here.tags === undefined || isDeepStrictEqual(here.tags, stored.tags)) &&
    (here.folder === undefined || here.folder === stored.folder);
  if (isSame) return 'unchanged';
  return here.isUnchanged || force ? 'updated' : 'conflicts';
}

function report(terminal: Terminal, pulled: Pulled, { folder, json }: PullFlags): void {
  const { created, updated, unchanged, conflicts, localOnly } = pulled;
  const refusal = `${conflicts.length === 1 ? 'a file was' : `${conflicts.length} files were`} changed here and not overwritten; push, or add --force: ${conflicts.map(visible).join(', ')}`;
  if (json) terminal.print(JSON.stringify({ ...pulled, ...(conflicts.length > 0 ? { error: refusal } : {}) }));
  else {
    const paint = painter(terminal.hasColors);
    for (const file of created) terminal.print(paint('green', `+ ${visible(file)}`));
    for (const file of updated) terminal.print(paint('yellow', `~ ${visible(file)}`));
    const count = created.length + updated.length + unchanged.length;
    terminal.print(`${visible(folder)}: ${numberOf(count, 'prompt')}, ${created.length} new, ${updated.length} updated.`);
  }
  for (const file of localOnly) terminal.warn(`${visible(file)}: the service does not have it; push it, or remove it`);
  if (conflicts.length > 0) terminal.warn(`spanwise: ${refusal}`);
}
