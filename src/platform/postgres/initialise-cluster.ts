import { existsSync, readdirSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Syncs under way at a time. One after the other they take five times as long. */
const parallelSyncs = 16;

/** Whether a directory holds a database. Throws when it holds something else, which must not be overwritten. */
export function hasCluster(directory: string): boolean {
  if (existsSync(join(directory, 'PG_VERSION'))) return true;
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new Error(`${directory} is not empty and holds no database; move what is in it elsewhere`);
  }
  return false;
}

/**
 * Makes an empty database in a directory that has none. It is made beside its place, synced and then moved there: initdb does not sync
 * through PGlite, and a process that is killed half way must not leave half a database that the next start takes for a whole one.
 */
export async function initialiseCluster(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const database = await PGlite.create({ fs: new NodeFS(unfinished) });
  await database.close();
  await syncTree(unfinished);
  if (existsSync(directory)) await rmdir(directory);
  await rename(unfinished, directory);
  await sync(dirname(directory));
}

async function syncTree(directory: string): Promise<void> {
  const paths = [directory, ...(await readdir(directory, { recursive: true })).map((path) => join(directory, path))].values();
  await Promise.all(
    Array.from({ length: parallelSyncs }, async () => {
      for (const path of paths) await sync(path);
    }),
  );
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
