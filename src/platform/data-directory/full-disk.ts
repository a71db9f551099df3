import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from './data-directory.ts';

/** Less free space than this, in bytes, is why a store could not be opened: PostgreSQL's log alone grows by 16 MiB at a time. */
const leastBytes = 32 * 1024 ** 2;
const probeBytes = 1024 ** 2;
/** How the file system and the two engines say that there is no space. */
const noSpace = /ENOSPC|EDQUOT|no space left|not enough space|disk quota|disk is full/i;

/**
 * The error of a start that failed for want of disk space; null for any other failure. The embedded engines end with errors of their own code, so
 * that the disk itself is asked too.
 *
 * @param path of the data directory  @param cause why the start failed
 */
export function fullDiskError(path: string, cause: unknown): DataDirectoryError | null {
  // It names the directory and its disk already.
  if (cause instanceof DataDirectoryError) return null;
  const free = freeBytes(path);
  if (!messagesOf(cause).some((message) => noSpace.test(message)) && (free ?? leastBytes) >= leastBytes && canWrite(path))
    return null;
  const left = free === null ? '' : `, ${(free / 1024 ** 2).toFixed(0)} MiB free`;
  return new DataDirectoryError(
    `the disk of the data directory ${path} is full (ENOSPC${left}); free some space, at best some gigabytes, and start again`,
    cause,
  );
}

/** The messages of an error and of its causes. */
function messagesOf(error: unknown): string[] {
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error && messages.length < 10; at = at.cause)
    messages.push(`${String((at as NodeJS.ErrnoException).code)} ${at.message}`);
  return messages;
}

/** Bytes that this user may still write; null where the file system does not say. */
function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Whether the disk takes a file; true for every failure other than want of space. */
function canWrite(path: string): boolean {
  const file = join(path, `probe.${process.pid}`);
  try {
    const descriptor = openSync(file, 'w', 0o600);
    try {
      writeSync(descriptor, Buffer.alloc(probeBytes));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    return !noSpace.test(String((error as NodeJS.ErrnoException).code));
  } finally {
    rmSync(file, { force: true });
  }
}
