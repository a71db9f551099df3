import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Quarantine } from './quarantine.ts';
import {
  maxRecordBytes,
  putRecord,
  recordHeaderBytes,
  scanSegment,
  segmentFileName,
  segmentHeaderBytes,
} from './segment-format.ts';
import { snapshotSegments } from './snapshot-segments.ts';
import type { WalThread } from './wal-thread.ts';
import { WalFailedError, WalFullError } from './wal.ts';
import type { OpenedWal, SegmentInfo, WalStats } from './wal.ts';

export interface SegmentedLogParts {
  id: string;
  directory: string;
  thread: WalThread;
  /** Shared with the thread. */
  arena: SharedArrayBuffer;
  quarantine: Quarantine;
  closed: SegmentInfo[];
  /** See `WalStats`. */
  tornBytes: number;
  /** Opened by the thread already. */
  activeId: number;
  maxSegmentBytes: number;
  backlogLimitBytes: number;
  maxQueuedBytes: number;
  maxQueuedRecords: number;
  /** Interval at which a log that failed on a full disk, or for want of a descriptor or memory, tries to continue, in milliseconds. */
  retryMs: number;
}

interface Waiting {
  record: Uint8Array;
  resolve(): void;
  reject(error: unknown): void;
}

/** Errors that pass without an operator, when space, a descriptor or memory is free again. After any other the disk is not to be trusted. */
const passing = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

const framed = (record: Uint8Array): number => recordHeaderBytes + record.length;

/**
 * The main thread's half of the log: it queues, batches and counts. One loop sends the writing thread one request at a time: everything acknowledged,
 * counted or offered as a closed segment is on disk, and records that arrive meanwhile form the next batch.
 */
export class SegmentedLog implements OpenedWal {
  readonly id: string;
  readonly #parts: SegmentedLogParts;
  readonly #arena: Buffer;
  readonly #closed: SegmentInfo[];
  #closedBytes: number;
  /** Counts committed records; null once a failed log has closed its active segment. */
  #active: SegmentInfo | null;
  #newestId: number;
  #queue: Waiting[] = [];
  /** Queued, or in the current commit. */
  #waitingBytes = 0;
  #waitingRecords = 0;
  #rotations: Array<() => void> = [];
  #working: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  #commits = 0;
  /** The segment of the last failure. */
  #failed: SegmentInfo | null = null;
  #retry: NodeJS.Timeout | null = null;
  #retryDue = false;

  constructor(parts: SegmentedLogParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#arena = Buffer.from(parts.arena);
    this.#closed = parts.closed;
    this.#closedBytes = parts.closed.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#active = this.#segment(parts.activeId);
    this.#newestId = parts.activeId;
  }

  append(record: Uint8Array): Promise<void> {
    const refusal = this.#refusal(record);
    if (refusal) return Promise.reject(refusal);
    this.#waitingBytes += framed(record);
    this.#waitingRecords += 1;
    return new Promise((resolve, reject) => {
      this.#queue.push({ record, resolve, reject });
      this.#work();
    });
  }

  async rotate(): Promise<readonly SegmentInfo[]> {
    if (!this.#closing && (this.#working || (this.#active?.records ?? 0) > 0)) {
      await new Promise<void>((resolve) => {
        this.#rotations.push(resolve);
        this.#work();
      });
    }
    return this.closedSegments();
  }

  closedSegments(): readonly SegmentInfo[] {
    return [...this.#closed];
  }

  async read(segment: SegmentInfo): Promise<readonly Uint8Array[]> {
    const bytes = (await readFile(segment.path)).subarray(0, segment.bytes);
    const { records, damage, tornAt } = scanSegment(bytes, segment.id);
    if (tornAt !== null && tornAt < bytes.length) damage.push({ from: tornAt, to: bytes.length });
    await this.#parts.quarantine.keep(segment.id, bytes, damage);
    return records;
  }

  async remove(segment: SegmentInfo): Promise<void> {
    const known = this.#closed.find(({ id }) => id === segment.id);
    if (!known) return;
    // The newest file's name records the highest id. It is closed only when the log has failed and cannot create another.
    if (known.id === this.#newestId) {
      // An emptied segment needs no truncation.
      if (this.#failed?.id === known.id) this.#failed = null;
      await this.#parts.thread.empty(known.path);
    } else await this.#parts.thread.remove(known.path);
    const index = this.#closed.indexOf(known);
    if (index < 0) return;
    this.#closed.splice(index, 1);
    this.#closedBytes -= known.bytes;
  }

  setAside(name: string, record: Uint8Array): Promise<void> {
    return this.#parts.quarantine.keepRecord(name, record);
  }

  async snapshot(directory: string): Promise<void> {
    const { thread, directory: from } = this.#parts;
    if (thread.failure) throw new WalFailedError(thread.failure);
    const closed = await this.rotate();
    const active = this.#active;
    if (active === null) throw new WalFailedError(thread.failure);
    await snapshotSegments({ from, into: directory, closed, newestPath: active.path });
  }

  stats(): WalStats {
    const closedRecords = this.#closed.reduce((sum, { records }) => sum + records, 0);
    return {
      failure: this.#parts.thread.failure,
      backlogBytes: this.#backlogBytes(),
      backlogLimitBytes: this.#parts.backlogLimitBytes,
      backlogRecords: closedRecords + (this.#active?.records ?? 0) + this.#waitingRecords,
      commits: this.#commits,
      quarantined: this.#parts.quarantine.ranges,
      tornBytes: this.#parts.tornBytes,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #drain(): Promise<void> {
    if (this.#retry) clearTimeout(this.#retry);
    await this.#working;
    await this.#parts.thread.close();
  }

  #refusal(record: Uint8Array): Error | null {
    const { thread, backlogLimitBytes, maxQueuedBytes, maxQueuedRecords } = this.#parts;
    if (thread.failure) return new WalFailedError(thread.failure);
    if (this.#closing) return new WalFailedError(new Error('the log is closed'));
    if (record.length > maxRecordBytes) return new RangeError(`a record of the log has at most ${maxRecordBytes} bytes`);
    const backlogBytes = this.#backlogBytes();
    if (backlogBytes + framed(record) > backlogLimitBytes) return new WalFullError(backlogBytes);
    const queueFull = this.#waitingBytes + framed(record) > maxQueuedBytes || this.#waitingRecords >= maxQueuedRecords;
    return queueFull ? new WalFullError(backlogBytes, 'has as much waiting to be written as it may hold in memory') : null;
  }

  #backlogBytes(): number {
    const active = this.#active !== null && this.#active.records > 0 ? this.#active.bytes : 0;
    return this.#closedBytes + active + this.#waitingBytes;
  }

  #segment(id: number): SegmentInfo {
    return { id, path: join(this.#parts.directory, segmentFileName(id)), bytes: segmentHeaderBytes, records: 0 };
  }

  /** Starts the loop unless it runs. */
  #work(): void {
    this.#working ??= this.#serve();
  }

  async #serve(): Promise<void> {
    // Records appended in the same turn share a commit.
    await Promise.resolve();
    try {
      for (;;) {
        if (this.#retryDue) await this.#reopen();
        else if (this.#rotations.length > 0) await this.#rotate();
        else if (this.#queue.length > 0) await this.#commit();
        else return;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      // In the same turn as the last check of the queue; a record queued later would otherwise never be written.
      this.#working = null;
    }
  }

  async #rotate(): Promise<void> {
    const served = this.#rotations.length;
    if (this.#active !== null && this.#active.records > 0) await this.#openNext(this.#active);
    for (const resolve of this.#rotations.splice(0, served)) resolve();
  }

  /** Writes and syncs one batch, and acknowledges its records. */
  async #commit(): Promise<void> {
    const { maxSegmentBytes, thread } = this.#parts;
    let active = this.#active;
    const first = this.#queue[0];
    if (active === null || first === undefined) return;
    if (active.records > 0 && active.bytes + framed(first.record) > maxSegmentBytes) active = await this.#openNext(active);
    const { batch, bytes } = this.#takeBatch(maxSegmentBytes - active.bytes);
    const own = bytes > this.#arena.length ? new ArrayBuffer(bytes) : null;
    const target = own ? Buffer.from(own) : this.#arena;
    let at = 0;
    for (const { record } of batch) at = putRecord(target, at, record);
    try {
      await thread.commit(bytes, own);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      throw error;
    } finally {
      this.#waitingBytes -= bytes;
      this.#waitingRecords -= batch.length;
    }
    active.bytes += bytes;
    active.records += batch.length;
    this.#commits += 1;
    for (const { resolve } of batch) resolve();
  }

  /** As many queued records as fit the room and the arena; at least one. */
  #takeBatch(room: number): { batch: Waiting[]; bytes: number } {
    let bytes = 0;
    let count = 0;
    for (const { record } of this.#queue) {
      if (count > 0 && bytes + framed(record) > Math.min(room, this.#arena.length)) break;
      bytes += framed(record);
      count += 1;
    }
    return { batch: this.#queue.splice(0, count), bytes };
  }

  /** Closes the active segment and opens the next. */
  async #openNext(active: SegmentInfo): Promise<SegmentInfo> {
    const next = this.#segment(active.id + 1);
    await this.#parts.thread.open(next.id);
    this.#closeActive();
    this.#active = next;
    this.#newestId = next.id;
    return next;
  }

  #closeActive(): void {
    if (this.#active !== null && this.#active.records > 0) {
      this.#closed.push(this.#active);
      this.#closedBytes += this.#active.bytes;
    }
    this.#active = null;
  }

  /** Stops writing: acknowledged records are offered to the consumer, all others are rejected. */
  #fail(error: unknown): void {
    this.#failed = this.#active ?? this.#failed;
    this.#closeActive();
    for (const { record, reject } of this.#queue.splice(0)) {
      this.#waitingBytes -= framed(record);
      this.#waitingRecords -= 1;
      reject(error);
    }
    for (const resolve of this.#rotations.splice(0)) resolve();
    this.#retryLater();
  }

  #retryLater(): void {
    const { thread, retryMs } = this.#parts;
    if (this.#closing || !passing.has((thread.failure as NodeJS.ErrnoException | null)?.code ?? '')) return;
    this.#retry = setTimeout(() => {
      this.#retryDue = true;
      this.#work();
    }, retryMs).unref();
  }

  /** After an error that passes: continues in a new segment, as a restart would, or tries again later. */
  async #reopen(): Promise<void> {
    this.#retryDue = false;
    const next = this.#segment(this.#newestId + 1);
    try {
      await this.#parts.thread.reopen(next.id, this.#failed);
      this.#failed = null;
      this.#active = next;
      this.#newestId = next.id;
    } catch {
      this.#retryLater();
    }
  }
}
