import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DirectoryLock } from './directory-lock.ts';
import { makePrivate } from './private-mode.ts';
import type { ModeFinding } from './private-mode.ts';
import { secretKeyIn } from './secret-key.ts';

/** The directory that holds everything the service keeps on this machine, owned by one process. */
export interface DataDirectory {
  path: string;
  postgres: string;
  clickhouse: string;
  wal: string;
  /** Emptied at every start. */
  temporary: string;
  /**
   * The secret that encrypts stored credentials, 64 hexadecimal digits; created by the first call.
   *
   * Errors: {@link DataDirectoryError}.
   */
  secretKey(): string;
  /** Where {@link secretKey} is kept. */
  secretKeyFile: string;
  /** Socket for operator commands such as `backup`. */
  controlSocket: string;
  /** What was done about permissions of other users on the directory; null where they had none. */
  mode: ModeFinding | null;
  /** Marks a restore into the directory as complete; see {@link openDataDirectory}. */
  restored(): void;
  close(): Promise<void>;
}

/** The directory cannot be used; the message says what to do. */
export class DataDirectoryError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DataDirectoryError';
  }
}

/**
 * Creates the directory if it is missing, sets it to 0700 and locks it for this process.
 *
 * Errors: {@link DataDirectoryError} when another process owns it (the message names that process), when it cannot be written, or when a restore into
 * it was not finished.
 *
 * @param restoring it will be filled from a backup: until `restored()` is called it cannot be opened otherwise, since a partial restore is not
 *   recognizable as such
 */
export async function openDataDirectory(path: string, { restoring = false } = {}): Promise<DataDirectory> {
  const temporary = join(path, 'tmp');
  const unfinished = join(path, 'restore.unfinished');
  const secretKeyFile = join(path, 'secret.key');
  if (existsSync(unfinished)) {
    throw new DataDirectoryError(`a restore into the data directory ${path} was not finished; empty it and restore again`);
  }
  const { lock, mode } = usable(path, () => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return { mode: makePrivate(path), lock: DirectoryLock.take(path) };
  });
  if (typeof lock === 'string') {
    throw new DataDirectoryError(
      `the data directory ${path} is in use by ${lock}; stop that process or set SPANWISE_DATA_DIR to another directory`,
    );
  }
  try {
    usable(path, () => {
      rmSync(temporary, { recursive: true, force: true });
      mkdirSync(temporary, { mode: 0o700 });
      if (restoring) writeFileSync(unfinished, '', { flush: true });
    });
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    path,
    postgres: join(path, 'postgres'),
    clickhouse: join(path, 'clickhouse'),
    wal: join(path, 'wal'),
    temporary,
    secretKey: () => usable(path, () => secretKeyIn(secretKeyFile)),
    secretKeyFile,
    controlSocket: join(path, 'control.sock'),
    mode,
    restored: () => rmSync(unfinished, { force: true }),
    close: async () => lock.release(),
  };
}

function usable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new DataDirectoryError(`the data directory ${path} cannot be used (${reason(error)}); ${advice(error)}`, error);
  }
}

function reason(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : String(message);
}

// Error codes of the file system and of SQLite for a full disk and a read-only directory.
const full = new Set<unknown>(['ENOSPC', 'EDQUOT', 13]);
const forbidden = new Set<unknown>(['EACCES', 'EPERM', 'EROFS', 8, 14]);
const notDirectory = new Set<unknown>(['ENOTDIR', 'EEXIST']);

/** What the operator can do about an error of the file system. */
export function advice(error: unknown): string {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const is = (codes: Set<unknown>) => codes.has(code) || codes.has(errcode);
  if (is(full)) return 'its disk is full: free some space';
  if (is(forbidden)) return 'make it writable for the user that runs the service';
  if (is(notDirectory)) return 'something else has this name: set SPANWISE_DATA_DIR to a directory';
  if (error instanceof RangeError) return 'its secret.key is damaged: restore it from a backup, or set SPANWISE_SECRET_KEY';
  return 'put it on a local disk that this user can write, or set SPANWISE_DATA_DIR to another directory';
}
