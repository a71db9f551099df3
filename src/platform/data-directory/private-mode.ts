import { chmodSync, statSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** What was done about the mode of a directory. */
export interface ModeFinding {
  /** Permissions before, such as `0755`. */
  was: string;
  /** Whether only the owner can use the directory now. */
  isPrivate: boolean;
  /** Why the mode could not be changed; null where it was. */
  fault: string | null;
}

const others = 0o077;

/** The permission bits of a directory, as `chmod` takes them, such as `0755`. Errors: those of the file system. */
export function modeOf(path: string): string {
  return `0${(statSync(path).mode & 0o777).toString(8).padStart(3, '0')}`;
}

/** Whether users other than the owner have any permission on a directory. Windows has no such modes. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & others) !== 0;
}

/**
 * Sets a directory to 0700 where other users have permissions on it, and makes what this process writes from now on readable by its user alone:
 * ClickHouse creates its files with the permissions that the process allows.
 *
 * @returns null where the directory was private
 */
export function makePrivate(path: string): ModeFinding | null {
  // A thread cannot set it, and the process of tests has its own.
  if (isMainThread) process.umask(others);
  if (!isOpenToOthers(path)) return null;
  const was = modeOf(path);
  try {
    chmodSync(path, 0o700);
  } catch (error) {
    return { was, isPrivate: false, fault: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
  return isOpenToOthers(path)
    ? { was, isPrivate: false, fault: 'the file system keeps its mode' }
    : { was, isPrivate: true, fault: null };
}
