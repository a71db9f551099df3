import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncPath, syncTree } from '../files/index.ts';
import { compilePglite } from './pglite-module.ts';

/** Whether a directory contains a database. Throws when it contains other files, which must not be overwritten. */
export function hasCluster(directory: string): boolean {
  if (existsSync(join(directory, 'PG_VERSION'))) return true;
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new Error(`${directory} is not empty and holds no database; move what is in it elsewhere`);
  }
  return false;
}

/**
 * Creates an empty database in a directory that has none. It is created in a neighbouring directory, synced and then renamed: initdb does
 * not sync through PGlite, and a kill must not leave a partial database that the next start would open.
 */
export async function initialiseCluster(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const database = await PGlite.create({ fs: new NodeFS(unfinished), pgliteWasmModule: compilePglite() });
  await database.close();
  await syncTree(unfinished);
  if (existsSync(directory)) await rmdir(directory);
  await rename(unfinished, directory);
  await syncPath(dirname(directory));
}
