import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's code for "another connection has it". */
const busy = 5;

/**
 * The mark of the one process that owns a directory: an exclusive transaction on an empty SQLite file, for as long as the process
 * lives. Node has no file locks of its own, and SQLite takes the kernel's, which
 *
 * - go with the process however it ends, so that nothing stale is left to be removed by hand;
 * - belong to the file, so that they also hold between containers that share a volume, where process ids and sockets in the abstract
 *   namespace mean nothing;
 * - exist on every platform, and are refused by file systems that cannot keep them.
 *
 * The kernel drops such a lock when the process closes any descriptor of the file: nothing else may ever open it.
 */
export class DirectoryLock {
  readonly #database: DatabaseSync;
  readonly #ownerFile: string;

  private constructor(database: DatabaseSync, ownerFile: string) {
    this.#database = database;
    this.#ownerFile = ownerFile;
  }

  /**
   * Takes a directory that exists; returns a description of its owner when there is one. Throws what SQLite or the file system
   * says when the directory cannot be written or keeps no locks.
   */
  static take(directory: string): DirectoryLock | string {
    const ownerFile = join(directory, 'owner.json');
    const database = new DatabaseSync(join(directory, 'owner.lock'));
    try {
      // Nothing is ever written, so there is nothing to keep a journal of.
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
    // It has the lock and is about to write, or to remove, its description.
    return 'another process';
  }
}
