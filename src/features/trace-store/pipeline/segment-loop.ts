import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock/clock.ts';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import { outsideRequests } from '../../../platform/request-scope/index.ts';
import type { SegmentInfo, WriteAheadLog } from '../../../platform/wal/wal.ts';
import { writeBatches } from '../batches/batch-writer.ts';
import type { BatchWriterOptions, HoursToMark, SegmentBatch } from '../batches/batch-writer.ts';
import type { Backlog } from '../log/backlog.ts';
import type { UsageStore } from '../log/usage-store.ts';
import { BuiltSpans } from './built-spans.ts';
import type { ExclusiveSection } from './exclusive-section.ts';
import type { RowVersions } from './row-versions.ts';
import { batchesOf, defaultMaxEvents, measured, readableHead } from './segment-batches.ts';
import type { SpanConsumers } from './span-consumers.ts';

export interface SegmentLoopOptions extends BatchWriterOptions {
  /** An opened log; closed by its owner. */
  log: WriteAheadLog;
  /** Identifies the log in deduplication tokens. */
  logId: string;
  usage: UsageStore;
  clock: Clock;
  /** Called for every failed attempt to write a batch; the batch is retried. */
  onWriteError(error: unknown): void;
  /** Keeps the bytes of a record that cannot be read, under a unique name; the records around it are written. */
  onUnreadable(record: Uint8Array, name: string, reason: string): Promise<void>;
  /**
   * Marks every hour that was marked at or after `sinceMs` (epoch milliseconds). Called at the start when an earlier process left batches:
   * a batch that wrote its rows but did not mark their hours again finds no change when it is repeated.
   */
  markHoursSince?(sinceMs: number): Promise<void>;
  /** Minimum time between two batches, in milliseconds: many small parts cost ClickHouse more than few larger ones. */
  batchIntervalMs?: number;
  /** Maximum spans and scores of one batch, unless one record has more. */
  maxBatchEvents?: number;
  /** Time after which {@link SegmentLoop.stop} begins no further batch, in milliseconds. */
  closePatienceMs?: number;
}

/** What the loop shares with the other parts of the pipeline. */
interface SharedParts {
  versions: RowVersions;
  backlog: Backlog;
  /** Batches and deletions run one after the other. */
  exclusive: ExclusiveSection;
}

const firstRetryMs = 250;
const longestRetryMs = 5_000;
const closePatienceMs = 5_000;
const startRestMs = 1_000;

/**
 * Closes the segment of the log, writes it to ClickHouse in batches, counts it for the quota, and removes it. A batch that fails is retried until it
 * succeeds; meanwhile the log fills up to its limit, and then requests are refused.
 */
export class SegmentLoop {
  readonly #options: SegmentLoopOptions;
  readonly #shared: SharedParts;
  readonly #intervalMs: number;
  #consumers: SpanConsumers | null = null;
  #closing = false;
  /** No batch begins after this time (of `performance.now()`), so that a stop ends before the supervisor kills the process. */
  #stopAt = Number.POSITIVE_INFINITY;
  /** Aborted to end the wait before a retry. */
  readonly #wake = new AbortController();
  #scheduled: Promise<void> | null = null;
  #lastBatchAt = 0;
  /** Id of the segment whose records were removed from the backlog. */
  #counted = 0;
  /** Segments with an id up to this one may have been written before, completely or in part. */
  #newestTried = 0;
  readonly #hoursToMark: HoursToMark = new Map();

  /** The loop is idle until {@link start}. */
  constructor(options: SegmentLoopOptions, shared: SharedParts) {
    this.#options = options;
    this.#shared = shared;
    this.#intervalMs = options.batchIntervalMs ?? 500;
  }

  /** Reads the segments that an earlier process left in the log, and has them written. @param consumers get the written segments */
  async start(consumers: SpanConsumers | null): Promise<void> {
    this.#consumers = consumers;
    const { log, clock, markHoursSince } = this.#options;
    const { backlog, versions } = this.#shared;
    let oldestMs = clock.now();
    for (const segment of log.closedSegments()) {
      this.#newestTried = Math.max(this.#newestTried, segment.id);
      for (const record of await log.read(segment)) {
        const head = readableHead(record);
        if (!head) continue;
        backlog.add(head);
        versions.keepAbove(head.maxVersion);
        oldestMs = Math.min(oldestMs, head.receivedMs);
      }
    }
    if (log.closedSegments().length > 0) {
      await markHoursSince?.(oldestMs);
      // Delayed until the service is up and the builder has loaded the stored ids.
      this.#lastBatchAt = performance.now() + startRestMs;
      this.schedule();
    }
  }

  /** Has what is in the log written soon. */
  schedule(): void {
    if (this.#closing) return;
    this.#scheduled ??= outsideRequests(() => this.#loop()).finally(() => {
      this.#scheduled = null;
      // A request may have been appended after the loop's last check.
      if (this.#options.log.stats().backlogRecords > (this.#consumers?.records ?? 0)) this.schedule();
    });
  }

  /** Writes every segment, in order. To be called in the exclusive section. */
  async writeAll(): Promise<void> {
    for (const segment of await this.#options.log.rotate()) {
      if (this.#consumers?.has(segment)) continue;
      if (!(await this.#writeSegment(segment))) return;
    }
  }

  /** Begins no batch after some seconds from now on, and no further attempt. */
  stop(): void {
    this.#closing = true;
    this.#stopAt = performance.now() + (this.#options.closePatienceMs ?? closePatienceMs);
    this.#wake.abort();
  }

  /** After {@link stop}: tries once more to write the rest of the log. The remainder is written at the next start. */
  async close(): Promise<void> {
    await this.#scheduled;
    await this.#shared.exclusive.run(() => this.writeAll()).catch((error: unknown) => this.#options.onWriteError(error));
  }

  async #loop(): Promise<void> {
    let retryMs = firstRetryMs;
    while (!this.#closing) {
      await this.#wait(this.#lastBatchAt + this.#intervalMs - performance.now());
      if (this.#closing) return;
      this.#lastBatchAt = performance.now();
      try {
        await this.#shared.exclusive.run(() => this.writeAll());
        return;
      } catch (error) {
        this.#options.onWriteError(error);
        await this.#wait(retryMs);
        retryMs = Math.min(retryMs * 2, longestRetryMs);
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    if (ms > 0) await delay(ms, undefined, { signal: this.#wake.signal }).catch(() => undefined);
  }

  /** @returns false when it stopped before the end; the segment is then written again from its beginning */
  async #writeSegment(segment: SegmentInfo): Promise<boolean> {
    const { log, logId, usage, onUnreadable } = this.#options;
    const records = (await log.read(segment)).map(measured);
    const fresh = segment.id > this.#newestTried;
    this.#newestTried = Math.max(this.#newestTried, segment.id);
    let first = 0;
    const batches = batchesOf(records, this.#options.maxBatchEvents ?? defaultMaxEvents).map((batch): SegmentBatch => {
      const token = `${logId}-${segment.id}-${first}-${batch.length}`;
      first += batch.length;
      return { records: batch, token };
    });
    const heads = records.flatMap(({ head }) => head ?? []);
    const projectIds = new Set(heads.map(({ projectId }) => projectId));
    const built = new BuiltSpans((await this.#consumers?.wanted(projectIds)) ?? []);
    const whole = await writeBatches(batches, {
      ...this.#options,
      fresh,
      hoursToMark: this.#hoursToMark,
      proceed: () => performance.now() <= this.#stopAt,
      spansOfProjects: built.projectIds,
      onWritten: async (batch, { unreadable, spans }) => {
        built.add(spans);
        for (const { index, reason } of unreadable) {
          const name = `${segment.id}-${batches.indexOf(batch)}-${index}`;
          await onUnreadable(batch.records[index] ?? new Uint8Array(), name, reason);
        }
      },
    });
    if (!whole) return false;
    const maxVersion = heads.reduce((highest, head) => Math.max(highest, head.maxVersion), 0);
    this.#shared.versions.written(maxVersion);
    await usage.count(segment.id, maxVersion, heads);
    reachFailpoint('batch-counted');
    // Without an await after the count, or the events would count twice. Only once, since a failed removal repeats the segment.
    if (this.#counted !== segment.id) for (const head of heads) this.#shared.backlog.written(head);
    this.#counted = segment.id;
    if (this.#consumers) this.#consumers.add(segment, projectIds, built);
    else await log.remove(segment);
    return true;
  }
}
