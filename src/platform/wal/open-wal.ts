import { mkdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseFailpoint } from '../failpoint/failpoint.ts';
import { syncDirectory } from './durable-file.ts';
import { readLogId } from './log-id.ts';
import { Quarantine } from './quarantine.ts';
import { recoverSegments } from './recover-segments.ts';
import { SegmentedLog } from './segmented-log.ts';
import { WalThread } from './wal-thread.ts';
import type { OpenedWal } from './wal.ts';

const mebibyte = 1024 * 1024;
/** What one commit takes at most; a larger record is handed over in a buffer of its own. */
const arenaBytes = 4 * mebibyte;

export interface WalOptions {
  directory: string;
  /** A segment is closed when the next record would take it past this. Default 32 MiB. A larger record gets a segment of its own. */
  maxSegmentBytes?: number;
  /** Most bytes on disk and in the queue before {@link WalFullError}. Default 1 GiB. */
  backlogLimitBytes?: number;
  /** Most bytes in memory that wait to be written before {@link WalFullError}. Default 128 MiB. */
  maxQueuedBytes?: number;
  /** Most records in memory that wait to be written before {@link WalFullError}. Default 65,536. */
  maxQueuedRecords?: number;
  /** How long after a full disk made the log fail it looks whether there is space again, in milliseconds. Default 1 s. */
  retryMs?: number;
  /** Told of bytes that could not be read and were put aside. */
  onQuarantine?(file: string, bytes: number): void;
  /** Module that stands in for node:fs in the writing thread; for tests. */
  fileSystem?: string;
  /** `name:n`: kills the process on the nth hit of a point; for tests. */
  failpoint?: string | null;
}

/**
 * Opens the log of a directory, which one process at a time may do. Segments that an earlier process left become closed ones; a
 * fresh one takes what is appended. How a torn tail and damage are told apart and treated stands in segment-format.ts.
 *
 * Errors: {@link WalFailedError} when the first segment cannot be made, and the file system's own when the directory cannot be read.
 */
export async function openWal(options: WalOptions): Promise<OpenedWal> {
  const { directory } = options;
  const failpoint = options.failpoint ? parseFailpoint(options.failpoint) : null;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await syncDirectory(dirname(directory));
  const id = await readLogId(directory);
  const quarantine = new Quarantine(directory, (file, bytes) => options.onQuarantine?.(file, bytes));
  const { closed, empty, newestId } = await recoverSegments(directory, quarantine);
  const activeId = newestId + 1;
  const arena = new SharedArrayBuffer(arenaBytes);
  const thread = new WalThread({ directory, fileSystem: options.fileSystem ?? 'node:fs', failpoint, arena });
  try {
    await thread.open(activeId);
    // Only now: an id must not come again, and the newest file is what remembers it.
    for (const path of empty) await unlink(path);
    if (empty.length > 0) await syncDirectory(directory);
  } catch (error) {
    await thread.close();
    throw error;
  }
  return new SegmentedLog({
    id,
    directory,
    thread,
    arena,
    quarantine,
    closed,
    activeId,
    maxSegmentBytes: options.maxSegmentBytes ?? 32 * mebibyte,
    backlogLimitBytes: options.backlogLimitBytes ?? 1024 * mebibyte,
    maxQueuedBytes: options.maxQueuedBytes ?? 128 * mebibyte,
    maxQueuedRecords: options.maxQueuedRecords ?? 65_536,
    retryMs: options.retryMs ?? 1_000,
  });
}
