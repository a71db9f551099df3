import { lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PolicyFile } from '../../../contract/policies.ts';
import { replaceFile } from '../replace-file.ts';
import { Refusal } from '../service/refusal.ts';
import { isInside, readPolicyFolder } from './policy-folder.ts';
import type { PolicyService } from './policy-service.ts';
import { painter, visible } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { numberOf } from '../traces/figures.ts';

export interface PullFlags {
  folder: string;
  json: boolean;
  /** The latest by default. */
  revision?: number | undefined;
  autoApprove: boolean;
}

interface Difference {
  created: PolicyFile[];
  overwritten: PolicyFile[];
  /** Paths of local policy files that the service does not have. */
  deleted: string[];
  unchanged: number;
}

/**
 * `spanwise policy pull`: makes the policy files of a folder those of the service. Files that would be overwritten or deleted are listed first, and
 * the user must confirm. Files of `tests/` stay.
 *
 * @returns the exit code: 0 done, 1 not
 */
export async function pullPolicies(terminal: Terminal, service: PolicyService, flags: PullFlags): Promise<number> {
  const { files, revision } = await service.pull(flags.revision);
  await mkdir(flags.folder, { recursive: true });
  const root = await realpath(flags.folder);
  for (const { path } of files) await checkTarget(root, path);
  const difference = await compare(root, files);
  const show = flags.json ? terminal.warn : terminal.print;
  for (const line of differenceLines(difference, terminal.hasColors && !flags.json)) show(line);
  await approve(terminal, difference, flags);
  for (const file of [...difference.created, ...difference.overwritten]) await writeSafely(root, file);
  for (const path of difference.deleted) await rm(join(root, path));
  const { created, overwritten, deleted, unchanged } = difference;
  const paths = { created: created.map(({ path }) => path), overwritten: overwritten.map(({ path }) => path), deleted };
  if (flags.json) terminal.print(JSON.stringify({ revision, ...paths, unchanged }));
  else terminal.print(`${flags.folder} has the ${numberOf(files.length, 'file')} of revision ${revision}.`);
  return 0;
}

/** Refuses a path that leaves the folder, by its name or through a link. */
async function checkTarget(root: string, path: string): Promise<void> {
  const parts = path.split('/');
  const plain = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:\p{Cc}]/u.test(part));
  if (!plain || !/\.ya?ml$/.test(path)) throw new Refusal(`the service named a file ${visible(path)}, which is not written`);
  let parent = dirname(join(root, path));
  for (;;) {
    const real = await realpath(parent).catch(() => null);
    if (real !== null) {
      if (!isInside(root, real))
        throw new Refusal(`${path} would be written outside of the folder, through a link; remove the link`);
      break;
    }
    parent = dirname(parent);
  }
  const target = await lstat(join(root, path)).catch(() => null);
  if (target && !target.isFile()) throw new Refusal(`${path} is there and not a file; move it away`);
}

/** What writing the wanted files changes. A file that is there counts wherever it is; only policies are deleted. */
async function compare(root: string, wanted: readonly PolicyFile[]): Promise<Difference> {
  const { policies } = await readPolicyFolder(root);
  const there = new Set(wanted.map(({ path }) => path));
  const deleted = policies.filter(({ path }) => !there.has(path)).map(({ path }) => path);
  const difference: Difference = { created: [], overwritten: [], deleted, unchanged: 0 };
  for (const file of wanted) {
    const here = await readFile(join(root, file.path)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new Refusal(`${file.path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
    });
    if (here === null) difference.created.push(file);
    else if (here.equals(Buffer.from(file.content))) difference.unchanged += 1;
    else difference.overwritten.push(file);
  }
  return difference;
}

function differenceLines({ created, overwritten, deleted }: Difference, hasColors: boolean): string[] {
  const paint = painter(hasColors);
  return [
    ...created.map(({ path }) => paint('green', `+ ${visible(path)}`)),
    ...overwritten.map(({ path }) => paint('yellow', `~ ${visible(path)} is overwritten`)),
    ...deleted.map((path) => paint('red', `- ${visible(path)} is deleted: the service does not have it`)),
  ];
}

async function approve(terminal: Terminal, { overwritten, deleted }: Difference, flags: PullFlags): Promise<void> {
  if (flags.autoApprove || overwritten.length + deleted.length === 0) return;
  const lost = `${numberOf(overwritten.length, 'local file')} would be overwritten and ${deleted.length} deleted`;
  const detail = { overwritten: overwritten.map(({ path }) => path), deleted };
  if (!terminal.canAsk) {
    throw new Refusal(`${lost}; nothing was written. Add --auto-approve, or pull into an empty folder`, detail);
  }
  const answer = await terminal.ask(`${lost}. Type yes: `);
  if (answer !== 'yes') throw new Refusal('not pulled; nothing was written', detail);
}

/** Writes a file, never by half. Errors: {@link Refusal}. */
async function writeSafely(root: string, { path, content }: PolicyFile): Promise<void> {
  const target = join(root, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    await replaceFile(target, (temporary) => writeFile(temporary, content, { flag: 'wx' }));
  } catch (error) {
    throw new Refusal(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}
