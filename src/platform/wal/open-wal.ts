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
/** Maximum bytes of a commit; a larger record is passed in its own buffer. */
const arenaBytes = 4 * mebibyte;

export interface WalOptions {
  directory: string;
  /** A segment is closed before a record would exceed this size. Default 32 MiB. A larger record gets its own segment. */
  maxSegmentBytes?: number;
  /** Maximum bytes on disk and in the queue before {@link WalFullError}. Default 1 GiB. */
  backlogLimitBytes?: number;
  /** Maximum bytes queued in memory before {@link WalFullError}. Default 128 MiB. */
  maxQueuedBytes?: number;
  /** Maximum records queued in memory before {@link WalFullError}. Default 65,536. */
  maxQueuedRecords?: number;
  /** Interval at which a log that failed on a full disk, or for want of a descriptor or memory, tries to continue, in milliseconds. Default 1 s. */
  retryMs?: number;
  /** Called with the bytes that were unreadable and moved to quarantine. */
  onQuarantine?(file: string, bytes: number): void;
  /** Called where the newest segment ended within a record, which was cut off: it was never acknowledged. */
  onTornTail?(file: string, bytes: number): void;
  /** Module that replaces node:fs in the writing thread; for tests. */
  fileSystem?: string;
  /** `name:n`: kills the process on the nth hit of a point; for tests. */
  failpoint?: string | null;
}

/**
 * Opens the log of a directory; one process at a time may do so. Existing segments become closed; a new one is appended to. segment-format.ts defines
 * how torn tails and damage are distinguished and handled.
 *
 * Errors: {@link WalFailedError} when the first segment cannot be created, and those of the file system when the directory cannot be read.
 */
export async function openWal(options: WalOptions): Promise<OpenedWal> {
  const { directory } = options;
  const failpoint = options.failpoint ? parseFailpoint(options.failpoint) : null;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await syncDirectory(dirname(directory));
  const id = await readLogId(directory);
  const quarantine = new Quarantine(directory, (file, bytes) => options.onQuarantine?.(file, bytes));
  const { closed, empty, newestId, tornBytes } = await recoverSegments(directory, quarantine, options.onTornTail);
  const activeId = newestId + 1;
  const arena = new SharedArrayBuffer(arenaBytes);
  const thread = new WalThread({ directory, fileSystem: options.fileSystem ?? 'node:fs', failpoint, arena });
  try {
    await thread.open(activeId);
    // After the new segment exists: the highest file name records the last id, and ids must not repeat.
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
    tornBytes,
    activeId,
    maxSegmentBytes: options.maxSegmentBytes ?? 32 * mebibyte,
    backlogLimitBytes: options.backlogLimitBytes ?? 1024 * mebibyte,
    maxQueuedBytes: options.maxQueuedBytes ?? 128 * mebibyte,
    maxQueuedRecords: options.maxQueuedRecords ?? 65_536,
    retryMs: options.retryMs ?? 1_000,
  });
}
