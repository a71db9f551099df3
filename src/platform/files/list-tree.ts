import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Paths of everything below a directory, relative to it, sorted; a directory comes before its entries. Empty when the directory does not exist. */
export async function listTree(directory: string): Promise<{ files: string[]; directories: string[] }> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const paths = (kind: (entry: (typeof entries)[number]) => boolean) =>
    entries
      .filter(kind)
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
      .toSorted();
  return { files: paths((entry) => entry.isFile()), directories: paths((entry) => entry.isDirectory()) };
}
