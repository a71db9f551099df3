import { randomBytes } from 'node:crypto';
import type * as fs from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { armFailpoint, reachFailpoint } from '../failpoint/failpoint.ts';
import type { Failpoint } from '../failpoint/failpoint.ts';
import { serveParent } from '../thread-rpc/index.ts';
import { encodeSegmentHeader, sealBatch, segmentFileName, segmentHeaderBytes } from './segment-format.ts';
import type { SegmentIdentity } from './segment-format.ts';

// The log's writes and fsyncs are synchronous calls in this thread: libuv's pool is shared by the database, argon2 and zlib, and an
// fsync behind a slow query would delay every acknowledgement. Checksums are computed here too, off the thread that decodes requests.

export type LogFileSystem = Pick<
  typeof fs,
  'openSync' | 'closeSync' | 'writeSync' | 'fsyncSync' | 'fdatasyncSync' | 'ftruncateSync' | 'unlinkSync'
>;

export interface WalWorkerData {
  directory: string;
  /** Module whose default export replaces node:fs; for tests. */
  fileSystem: string;
  failpoint: Failpoint | null;
  /** Where the main thread writes a batch; owned by this thread while a commit runs. */
  arena: SharedArrayBuffer;
}

/** The calls of the log's thread, run in order. */
export interface WalWriter {
  /** Writes and syncs a batch of `bytes` bytes: in the arena, or `own` for a record that is larger than the arena. */
  commit(bytes: number, own: ArrayBuffer | null): void;
  /** Creates the next segment and makes it active. */
  open(id: number): void;
  /** After a failure: truncates the failed segment to its acknowledged bytes, and continues in a new one. */
  reopen(id: number, failed: FailedSegment | null): void;
  /** Deletes a segment. */
  remove(path: string): void;
  /** Truncates a segment to its header: the file's name records the highest id. */
  empty(path: string): void;
  /** Closes the active segment; the last call. */
  close(): void;
}

/** The segment in which a commit failed, and how many of its bytes were acknowledged. */
export interface FailedSegment {
  path: string;
  bytes: number;
}

const { directory, fileSystem, failpoint, arena } = workerData as WalWorkerData;
const files = ((await import(fileSystem)) as { default: LogFileSystem }).default;
const shared = Buffer.from(arena);
armFailpoint(failpoint);
let active: { descriptor: number; identity: SegmentIdentity; sequence: number } | null = null;
/** Why nothing more can be committed. */
let broken: Error | null = null;

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    const more = files.writeSync(descriptor, bytes, written, bytes.length - written);
    if (more === 0) throw new Error('the file system wrote nothing');
    written += more;
  }
}

function syncDirectory(): void {
  withFile(directory, 'r', (descriptor) => files.fsyncSync(descriptor));
}

function withFile(path: string, flags: string, work: (descriptor: number) => void): void {
  const descriptor = files.openSync(path, flags);
  try {
    work(descriptor);
  } finally {
    files.closeSync(descriptor);
  }
}

function openSegment(id: number): void {
  const { header, identity } = encodeSegmentHeader(id, randomBytes(8));
  const descriptor = files.openSync(join(directory, segmentFileName(id)), 'wx', 0o600);
  writeWhole(descriptor, header);
  files.fsyncSync(descriptor);
  syncDirectory();
  if (active) files.closeSync(active.descriptor);
  active = { descriptor, identity, sequence: 0 };
  reachFailpoint('segment-created');
}

function reopen(id: number, failed: FailedSegment | null): void {
  if (failed) truncate(failed.path, failed.bytes);
  // A leftover of an earlier attempt; it holds no acknowledged record.
  unlink(join(directory, segmentFileName(id)));
  openSegment(id);
  broken = null;
}

function truncate(path: string, bytes: number): void {
  withFile(path, 'r+', (descriptor) => {
    files.ftruncateSync(descriptor, bytes);
    files.fsyncSync(descriptor);
  });
}

function unlink(path: string): void {
  try {
    files.unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function commit(batch: Buffer): void {
  if (!active) throw new Error('no segment is open');
  active.sequence = sealBatch(batch, active.identity, active.sequence);
  reachFailpoint('before-write');
  writeWhole(active.descriptor, batch);
  reachFailpoint('after-write');
  files.fdatasyncSync(active.descriptor);
  reachFailpoint('after-sync');
}

function removeSegment(path: string): void {
  unlink(path);
  syncDirectory();
  reachFailpoint('segment-removed');
}

/** After a failed write or fsync the file's content is unknown, and a second fsync may report success for lost pages: nothing is committed. */
function unlessBroken(work: () => void): void {
  if (broken) throw broken;
  try {
    work();
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw broken;
  }
}

serveParent<WalWriter>(() => ({
  commit: (bytes, own) => {
    unlessBroken(() => commit(own ? Buffer.from(own) : shared.subarray(0, bytes)));
    reachFailpoint('before-ack');
  },
  open: (id) => unlessBroken(() => openSegment(id)),
  reopen,
  remove: removeSegment,
  empty: (path) => truncate(path, segmentHeaderBytes),
  close: () => {
    if (active) files.closeSync(active.descriptor);
    active = null;
  },
}));
