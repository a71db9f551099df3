import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { policyLimits } from '../../../contract/limits.ts';
import type { PolicyFile } from '../../../contract/policies.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import { isTestFile } from '../../../features/policies/offline.ts';
import { Refusal } from '../service/refusal.ts';

/** Folders and files below a folder that are looked at. */
const maxEntries = 20_000;

/** The YAML files of a folder. */
export interface PolicyFolder {
  /** What the service gets, by path. */
  policies: PolicyFile[];
  /** The files below `tests/`, which stay here. */
  tests: PolicyFile[];
}

/**
 * Reads the `.yaml` and `.yml` files below a folder. Paths are relative, with `/`. Files and folders whose name begins with a full stop, and
 * `node_modules`, are left out. Links to folders are not followed; a link to a file is, inside the folder.
 *
 * Errors: {@link Refusal} where something cannot be read, is too large, is not UTF-8, or is a link that leads outside.
 */
export async function readPolicyFolder(folder: string): Promise<PolicyFolder> {
  const root = await realpath(folder).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  const paths = await yamlPaths(root, folder);
  if (paths.length > policyLimits.files) {
    throw new Refusal(`${folder} has more than ${policyLimits.files} YAML files; put several policies into one file`);
  }
  const files: PolicyFile[] = [];
  let total = 0;
  for (const path of paths) {
    const file = await readPolicyFile(root, path);
    total += Buffer.byteLength(file.content);
    if (total > 2 * policyLimits.totalBytes) {
      throw new Refusal(`the files of ${folder} have more than ${policyLimits.totalBytes / 1_048_576} MiB together`);
    }
    files.push(file);
  }
  return { policies: files.filter(({ path }) => !isTestFile(path)), tests: files.filter(({ path }) => isTestFile(path)) };
}

async function yamlPaths(root: string, shown: string): Promise<string[]> {
  const paths: string[] = [];
  let left = maxEntries;
  const waiting = [root];
  for (const folder of waiting) {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      throw unreadable(join(shown, relative(root, folder)), error);
    });
    left -= entries.length;
    if (left < 0) throw new Refusal(`${shown} has more than ${maxEntries} files; give the folder of the policies alone`);
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (/\.ya?ml$/.test(entry.name)) paths.push(relative(root, path).split(sep).join('/'));
    }
  }
  return paths.toSorted(compareCodePoints);
}

async function readPolicyFile(root: string, path: string): Promise<PolicyFile> {
  const file = await realpath(join(root, path)).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!isInside(root, file)) throw new Refusal(`${path} is a link that leads outside of the folder; put the file into it`);
  const { size, isFile } = await stat(file).then((found) => ({ size: found.size, isFile: found.isFile() }));
  if (!isFile) throw new Refusal(`${path} is not a file; rename it, or link to a file`);
  if (size > policyLimits.fileBytes) {
    throw new Refusal(`${path} has more than ${policyLimits.fileBytes / 1024} KiB; divide it into several files`);
  }
  const bytes = await readFile(file).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    return { path, content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw new Refusal(`${path} is not UTF-8; save it as UTF-8`);
  }
}

/** Whether a real path is below another. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

function unreadable(path: string, error: unknown): Refusal {
  return new Refusal(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
}
