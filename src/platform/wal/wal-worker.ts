import { randomBytes } from 'node:crypto';
import type * as fs from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { armFailpoint, reachFailpoint } from '../failpoint/failpoint.ts';
import type { Failpoint } from '../failpoint/failpoint.ts';
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

export type WalRequest =
  /** Writes and syncs a batch of `bytes` bytes: in the arena, or `own` for a record that is larger than the arena. */
  | { kind: 'commit'; bytes: number; own: ArrayBuffer | null }
  /** Makes the next segment, which takes the batches from now on. */
  | { kind: 'open'; id: number }
  /** After a failure: cuts from the segment that failed what was never acknowledged, and goes on in a new one. */
  | { kind: 'reopen'; id: number; failed: { path: string; bytes: number } | null }
  | { kind: 'remove'; path: string }
  /** Removes a segment's records and keeps the file, whose name is what remembers the highest id. */
  | { kind: 'empty'; path: string }
  | { kind: 'close' };

/** The answer to a request; requests are answered in order. */
export interface WalAnswer {
  failure: { message: string; code: string | null } | null;
  /** Whether nothing more can be committed. */
  broken: boolean;
}

const port = parentPort;
if (!port) throw new Error('this module runs in a worker');
const { directory, fileSystem, failpoint, arena } = workerData as WalWorkerData;
const files = ((await import(fileSystem)) as { default: LogFileSystem }).default;
const shared = Buffer.from(arena);
armFailpoint(failpoint);
let active: { descriptor: number; identity: SegmentIdentity; sequence: number } | null = null;
let broken: WalAnswer | null = null;

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

function reopen(id: number, failed: { path: string; bytes: number } | null): void {
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

function handle(request: WalRequest): void {
  switch (request.kind) {
    case 'open':
      return openSegment(request.id);
    case 'commit':
      return commit(request.own ? Buffer.from(request.own) : shared.subarray(0, request.bytes));
    case 'remove':
      return removeSegment(request.path);
    case 'empty':
      return truncate(request.path, segmentHeaderBytes);
    case 'reopen':
      return reopen(request.id, request.failed);
    case 'close':
      if (active) files.closeSync(active.descriptor);
      active = null;
  }
}

function answer(request: WalRequest): WalAnswer {
  const commits = request.kind === 'commit' || request.kind === 'open';
  // After a failed write or fsync nobody knows what is on disk, and a second fsync may well report success for pages that are gone.
  if (broken && commits) return broken;
  try {
    handle(request);
    return { failure: null, broken: false };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const failed = { failure: { message, code: code ?? null }, broken: commits };
    if (commits) broken = failed;
    return failed;
  }
}

port.on('message', (request: WalRequest) => {
  const told = answer(request);
  if (request.kind === 'commit') reachFailpoint('before-ack');
  port.postMessage(told);
  if (request.kind === 'close') port.close();
});
