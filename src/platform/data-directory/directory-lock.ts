import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY: another connection holds the lock. */
const busy = 5;

/**
 * The lock of the process that owns a directory: an exclusive transaction on an empty SQLite file, open while the process runs. Node has no API for
 * file locks; SQLite uses the kernel's, which
 *
 * - are released when the process ends in any way, so there are no stale locks to remove by hand;
 * - belong to the file, so they also work between containers that share a volume, unlike process ids and abstract sockets;
 * - exist on every platform, and fail on file systems that do not support them.
 *
 * The kernel releases such a lock when the process closes any descriptor of the file: no other code may open it.
 */
export class DirectoryLock {
  readonly #database: DatabaseSync;
  readonly #ownerFile: string;

  private constructor(database: DatabaseSync, ownerFile: string) {
    this.#database = database;
    this.#ownerFile = ownerFile;
  }

  /**
   * Locks an existing directory; returns a description of the owner when another process holds the lock. Errors: those of SQLite or the file system
   * when the directory cannot be written or does not support locks.
   */
  static take(directory: string): DirectoryLock | string {
    const ownerFile = join(directory, 'owner.json');
    const database = new DatabaseSync(join(directory, 'owner.lock'));
    try {
      // No journal: nothing is ever written.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      const owner: Owner = { pid: process.pid, host: hostname(), since: new Date(performance.timeOrigin).toISOString() };
      writeFileSync(ownerFile, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
    } catch (error) {
      database.close();
      if ((error as { errcode?: unknown }).errcode === busy) return described(ownerFile);
      throw error;
    }
    return new DirectoryLock(database, ownerFile);
  }

  release(): void {
    if (!this.#database.isOpen) return;
    rmSync(this.#ownerFile, { force: true });
    this.#database.close();
  }
}

interface Owner {
  pid: number;
  host: string;
  since: string;
}

function described(ownerFile: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner;
    return `process ${pid} on ${host}, running since ${since}`;
  } catch {
    // The owner holds the lock but its description is not written yet, or already removed.
    return 'another process';
  }
}
