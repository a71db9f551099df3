import { lstat, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promptBounds } from '../../../contract/prompts.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import { replaceFile } from '../replace-file.ts';
import { Refusal } from '../service/refusal.ts';
import { visible } from '../terminal/terminal.ts';
import { extension, promptNameOf } from './file-name.ts';
import { readPromptFile } from './prompt-file.ts';
import type { PromptFile } from './prompt-file.ts';

/** Files of a folder. */
const maxFiles = 20_000;
/** A prompt in YAML, whose escapes make it longer, and its configuration. */
const maxBytes = 4 * (promptBounds.promptBytes + promptBounds.configBytes);

/** A prompt as a file of the folder says it. */
export interface LocalPrompt extends PromptFile {
  name: string;
  /** The name of the file. */
  file: string;
  text: string;
}

/** The prompts of a folder. */
export interface PromptFolder {
  /** By name, in code point order. */
  prompts: LocalPrompt[];
  /** Names of all files, prompts or not. */
  files: string[];
  /** Markdown files without a front matter. */
  ignored: string[];
}

/**
 * Reads the files of a folder that end in `.md`. Folders inside it are not read, nor files whose name begins with a full stop.
 *
 * Errors: {@link Refusal} for what cannot be read or is no valid prompt, and for two files with one prompt.
 */
export async function readPromptFolder(folder: string): Promise<PromptFolder> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw failed(folder, 'read', error);
  });
  if (entries.length > maxFiles)
    throw new Refusal(`${folder} has more than ${maxFiles} files; give the folder of the prompts alone`);
  const files = entries.map(({ name }) => name).toSorted(compareCodePoints);
  const prompts = new Map<string, LocalPrompt>();
  const ignored: string[] = [];
  for (const file of files) {
    if (!file.endsWith(extension) || file.startsWith('.')) continue;
    const path = join(folder, file);
    const text = await textOf(path);
    const read = readPromptFile(visible(path), text);
    if (!read) {
      ignored.push(file);
      continue;
    }
    const name = read.name ?? promptNameOf(file);
    if (name === null) throw new Refusal(`${visible(path)}: write the name of the prompt into the front matter, as name`);
    const other = prompts.get(name);
    if (other) throw new Refusal(`${visible(path)} and ${visible(other.file)} are both the prompt ${visible(name)}; remove one`);
    prompts.set(name, { ...read, name, file, text });
  }
  return { prompts: [...prompts.values()].toSorted((one, other) => compareCodePoints(one.name, other.name)), files, ignored };
}

/** Makes the folder if it is missing. Errors: {@link Refusal}. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw failed(folder, 'made', error);
  }
}

/** Writes a file, never by half. Errors: {@link Refusal}, also for a link. */
export async function writePromptFile(folder: string, file: string, text: string): Promise<void> {
  const target = join(await realpath(folder), file);
  const there = await lstat(target).catch(() => null);
  if (there && !there.isFile()) throw new Refusal(`${visible(target)} is there and not a file; move it away`);
  try {
    await replaceFile(target, (temporary) => writeFile(temporary, text, { flag: 'wx' }));
  } catch (error) {
    throw failed(target, 'written', error);
  }
}

async function textOf(path: string): Promise<string> {
  const stat = await lstat(path);
  if (!stat.isFile()) throw new Refusal(`${visible(path)} is not a file; move it away`);
  if (stat.size > maxBytes) throw new Refusal(`${visible(path)} has more than ${maxBytes / 1_048_576} MiB, which no prompt has`);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw failed(path, 'read', error);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal(`${visible(path)} is not UTF-8; save it as UTF-8`);
  }
}

function failed(path: string, what: string, error: unknown): Refusal {
  return new Refusal(`${visible(path)} cannot be ${what} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
}
