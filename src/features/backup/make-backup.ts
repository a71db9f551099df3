import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyFileHashed, listTree, syncTree } from '../../platform/files/index.ts';
import type { FileHash } from '../../platform/files/index.ts';
import type { BegunBackup, HeldBackup } from './control-protocol.ts';
import { DatabaseCopy } from './database-copy.ts';
import { BackupError, writeManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { ServiceConnection } from './service-connection.ts';

export interface BackupPlan {
  /** The service's socket. */
  socket: string;
  dataDirectory: string;
  /** A directory that does not exist or is empty. */
  into: string;
  version: string;
  nowMs: number;
  /** Aborts the backup. */
  signal?: AbortSignal;
}

/** Passes over PostgreSQL's files before the stores are held; each is shorter than the one before. */
const freePasses = 2;

/**
 * Makes a backup of a running service. This process copies the files, so that a full or slow disk does not affect the service.
 *
 * Errors: {@link BackupError}; everything that was created is removed.
 */
export async function makeBackup(plan: BackupPlan): Promise<Manifest> {
  const { into } = plan;
  const made = await emptyDirectory(into);
  const connection = await ServiceConnection.open(plan.socket, plan.dataDirectory).catch(async (error: unknown) => {
    await removeMade(into, made);
    throw error;
  });
  try {
    const begun = await connection.ask({ ask: 'begin' }, 'begun');
    const manifest = await copyAll(plan, begun, connection);
    await connection.ask({ ask: 'end' }, 'ended');
    await syncTree(into);
    await writeManifest(into, manifest);
    return manifest;
  } catch (error) {
    await removeMade(into, made);
    throw explained(error, into);
  } finally {
    connection.close();
  }
}

async function copyAll(plan: BackupPlan, begun: BegunBackup, connection: ServiceConnection): Promise<Manifest> {
  const { into, signal } = plan;
  const embedded = begun.stores === 'embedded';
  const database = new DatabaseCopy(begun.postgres, join(into, 'postgres'), signal);
  for (let pass = 0; embedded && pass < freePasses; pass++) await database.pass();
  const held = await connection.ask({ ask: 'hold' }, 'held');
  if (embedded) await database.pass();
  await connection.ask({ ask: 'release' }, 'released');
  const copy = new Copy(into, signal);
  if (embedded) copy.add('postgres', database.files, database.directories);
  await copy.tree(held.wal, 'wal');
  await copy.tree(join(dirname(held.wal), 'quarantine'), 'wal/quarantine');
  if (begun.secretKey !== null) await copy.file(begun.secretKey, 'secret.key');
  return {
    format: 1,
    madeAt: new Date(plan.nowMs).toISOString(),
    stores: begun.stores,
    versions: { spanwise: plan.version, ...held.versions },
    secretKey: begun.secretKey === null ? 'environment' : 'included',
    postgres: held.postgresRows,
    clickhouse: await copyTables(copy, held),
    directories: copy.directories,
    files: copy.files,
  };
}

async function copyTables(copy: Copy, held: HeldBackup): Promise<Manifest['clickhouse']> {
  const tables: Manifest['clickhouse'] = [];
  for (const { name, create, parts } of held.clickhouse) {
    await copy.tree(parts, `clickhouse/${name}`);
    let rows = 0;
    for (const part of await partsIn(parts)) rows += await rowsOf(join(parts, part));
    tables.push({ name, create, rows });
  }
  return tables;
}

async function partsIn(directory: string): Promise<string[]> {
  const { directories } = await listTree(directory);
  return directories.filter((path) => !path.includes('/'));
}

/** ClickHouse writes the number of rows beside them. */
async function rowsOf(part: string): Promise<number> {
  return Number(await readFile(join(part, 'count.txt'), 'utf8'));
}

/** Copied files with their hashes. */
class Copy {
  readonly #into: string;
  readonly #signal: AbortSignal | undefined;
  readonly files: Manifest['files'] = [];
  readonly directories: string[] = [];

  constructor(into: string, signal: AbortSignal | undefined) {
    this.#into = into;
    this.#signal = signal;
  }

  async tree(from: string, name: string): Promise<void> {
    const { files, directories } = await listTree(from);
    const all = ['', ...directories].map((directory) => (directory === '' ? name : `${name}/${directory}`));
    for (const directory of all) await mkdir(join(this.#into, directory), { recursive: true, mode: 0o700 });
    this.directories.push(...all);
    for (const file of files) await this.file(join(from, file), `${name}/${file}`);
  }

  async file(from: string, name: string): Promise<void> {
    this.#signal?.throwIfAborted();
    this.files.push({ path: name, ...(await copyFileHashed(from, join(this.#into, name))) });
  }

  /** Adds a file that was copied elsewhere. */
  add(name: string, files: ReadonlyMap<string, FileHash>, directories: readonly string[]): void {
    this.directories.push(name, ...directories.map((directory) => `${name}/${directory}`));
    for (const [path, { bytes, sha256 }] of files) this.files.push({ path: `${name}/${path}`, bytes, sha256 });
  }
}

/** Creates the directory if it is missing; returns whether it did. Errors: {@link BackupError} when it is not empty. */
async function emptyDirectory(into: string): Promise<boolean> {
  try {
    const made = await makeDirectory(into);
    if ((await readdir(into)).length > 0) throw new BackupError(`${into} is not empty; give a new directory for each backup`);
    return made;
  } catch (error) {
    throw explained(error, into);
  }
}

/** Creates a directory and its parents; returns whether it did. Node's `recursive` loops for ever under /proc. */
async function makeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT' || !(await makeDirectory(dirname(path)))) throw error;
    await mkdir(path, { mode: 0o700 });
    return true;
  }
}

async function removeMade(into: string, made: boolean): Promise<void> {
  const names = await readdir(into).catch(() => []);
  for (const name of names) await rm(join(into, name), { recursive: true, force: true });
  if (made) await rm(into, { recursive: true, force: true });
}

/** A known failure as one sentence for the operator. */
function explained(error: unknown, into: string): unknown {
  if (error instanceof BackupError) return error;
  if ((error as Error).name === 'AbortError') return new BackupError('the backup was given up; nothing of it is left', error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new BackupError(`the disk of ${into} is full; no backup was made`, error);
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  return new BackupError(`the backup into ${into} failed (${code}); no backup was made`, error);
}
