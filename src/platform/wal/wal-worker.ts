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
// fsync behind a slow query would hold up every acknowledgement. Checksums are made here too, off the thread that decodes requests.

export type LogFileSystem = Pick<
  typeof fs,
  'openSync' | 'closeSync' | 'writeSync' | 'fsyncSync' | 'fdatasyncSync' | 'ftruncateSync' | 'unlinkSync'
>;

export interface WalWorkerData {
  directory: string;
  /** Module whose default export stands in for node:fs; for tests. */
  fileSystem: string;
  failpoint: Failpoint | null;
  /** Where the main thread puts a batch; it is this thread's from a request to commit until the answer. */
  arena: SharedArrayBuffer;
}

/** The calls of the log's thread, carried out in order. */
export interface WalWriter {
  /** Writes and syncs a batch of `bytes` bytes: in the arena, or `own` for a record that is larger than the arena. */
  commit(bytes: number, own: ArrayBuffer | null): void;
  /** Makes the next segment, which takes the batches from now on. */
  open(id: number): void;
  /** After a failure: cuts from the segment that failed what was never acknowledged, and continues in a new one. */
  reopen(id: number, failed: FailedSegment | null): void;
  /** Deletes a segment. */
  remove(path: string): void;
  /** Removes a segment's records and keeps the file: its name records the highest id. */
  empty(path: string): void;
  /** Closes the active segment; nothing is called afterwards. */
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
  // What an attempt before this one left of it; nothing was acknowledged in there.
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
