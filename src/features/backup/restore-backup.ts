import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { copyFileHashed, listTree, syncTree } from '../../platform/files/index.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import { countRows, unloggedTables } from './count-rows.ts';
import { BackupError } from './manifest.ts';
import type { Manifest } from './manifest.ts';

export interface RestoreTarget {
  /** Empty except for the lock. */
  directory: { path: string; clickhouse: string; postgres: string };
  openClickHouse(): ClickHouse;
  openPostgres(): Promise<Postgres>;
}

/** The parts of a data directory that a backup holds. */
const restoredNames = ['postgres', 'clickhouse', 'wal', 'secret.key'];

/**
 * Fills a data directory from a verified backup (`readWholeBackup`), opens its stores and compares their row counts with the manifest.
 *
 * Errors: {@link BackupError}; the restored files are then removed.
 */
export async function restoreBackup(from: string, manifest: Manifest, target: RestoreTarget): Promise<void> {
  try {
    await copyPlain(from, manifest, target.directory.path);
    if (manifest.stores === 'embedded') {
      await restoreClickHouse(from, manifest, target);
      await checkPostgres(manifest, target);
    } else {
      // A new id for the log: ClickHouse on a server may know later segments under the old id and would skip new batches as duplicates.
      await rm(join(target.directory.path, 'wal', 'log-id'), { force: true });
    }
    await syncTree(target.directory.path);
  } catch (error) {
    for (const name of restoredNames) await rm(join(target.directory.path, name), { recursive: true, force: true });
    throw error;
  }
}

/** Copies the log, PostgreSQL's files and the key to their places. */
async function copyPlain(from: string, manifest: Manifest, into: string): Promise<void> {
  const plain = ({ path }: { path: string }) => !path.startsWith('clickhouse/');
  for (const path of manifest.directories) if (plain({ path })) await mkdir(join(into, path), { recursive: true, mode: 0o700 });
  for (const { path, sha256 } of manifest.files.filter(plain)) {
    const copied = await copyFileHashed(join(from, path), join(into, path));
    if (copied.sha256 !== sha256) throw new BackupError(`the backup changed while it was read: ${path}; restore it again`);
  }
}

/** Creates each table and attaches its parts; ClickHouse verifies their checksums. */
async function restoreClickHouse(from: string, manifest: Manifest, { directory, openClickHouse }: RestoreTarget): Promise<void> {
  await mkdir(directory.clickhouse, { recursive: true, mode: 0o700 });
  const clickhouse = openClickHouse();
  try {
    for (const { name, create, rows } of manifest.clickhouse) {
      await clickhouse.command(create);
      // A merge would remove replaced rows and so change the counts.
      await clickhouse.command(`SYSTEM STOP MERGES ${name}`);
      const [table] = await clickhouse.systemQuery<{ paths: string[] }>(
        'SELECT data_paths AS paths FROM system.tables WHERE database = currentDatabase() AND name = {name:String}',
        { name },
      );
      await attachParts(clickhouse, name, join(from, 'clickhouse', name), table?.paths[0] ?? '');
      const [found] = await clickhouse.systemQuery<{ rows: number }>(
        'SELECT sum(rows) AS rows FROM system.parts WHERE active AND database = currentDatabase() AND table = {name:String}',
        { name },
      );
      const restored = found?.rows ?? 0;
      if (restored !== rows) throw differs(`ClickHouse's table ${name}`, restored, rows);
    }
  } finally {
    await clickhouse.close();
  }
}

async function attachParts(clickhouse: ClickHouse, table: string, from: string, into: string): Promise<void> {
  const parts = (await readdir(from))
    .filter((name) => /^\w+$/.test(name))
    .toSorted((left, right) => blockOf(left) - blockOf(right));
  for (const part of parts) {
    const detached = join(into, 'detached', part);
    const { files, directories } = await listTree(join(from, part));
    for (const directory of ['', ...directories]) await mkdir(join(detached, directory), { recursive: true });
    for (const file of files) await copyFileHashed(join(from, part, file), join(detached, file));
    await clickhouse.command(`ALTER TABLE ${table} ATTACH PART '${part}'`);
  }
}

/** The order of a part in its partition: of equal versions of a row the later part's counts. */
function blockOf(part: string): number {
  return Number(part.split('_')[1] ?? 0);
}

async function checkPostgres(manifest: Manifest, { openPostgres }: RestoreTarget): Promise<void> {
  const postgres = await openPostgres();
  try {
    const counts = await countRows(postgres.unlimited);
    // Backups made before 2026-11-28 count the rows of unlogged tables too.
    const unlogged = await unloggedTables(postgres.unlimited);
    for (const [table, rows] of Object.entries(manifest.postgres))
      if (!unlogged.has(table) && counts[table] !== rows) throw differs(`PostgreSQL's table ${table}`, counts[table] ?? 0, rows);
  } finally {
    await postgres.close();
  }
}

function differs(what: string, found: number, wanted: number): BackupError {
  return new BackupError(`${what} holds ${found} rows after restoring, not ${wanted} as the backup says; nothing was restored`);
}

/** Entries of an empty data directory, and of the root of a file system. */
const insignificant = new Set(['owner.lock', 'tmp', 'lost+found']);

/** Whether a data directory is empty or missing. Errors: those of the file system. */
export async function isEmptyDirectory(path: string): Promise<boolean> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.every((name) => insignificant.has(name));
}
