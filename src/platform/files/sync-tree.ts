import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Concurrent syncs. Sequentially they take five times as long. */
const parallelSyncs = 16;

/** Syncs a directory and everything below it. */
export async function syncTree(directory: string): Promise<void> {
  const paths = [directory, ...(await readdir(directory, { recursive: true })).map((path) => join(directory, path))].values();
  await Promise.all(
    Array.from({ length: parallelSyncs }, async () => {
      for (const path of paths) await syncPath(path);
    }),
  );
}

/** Syncs one file, or the entries of one directory. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
