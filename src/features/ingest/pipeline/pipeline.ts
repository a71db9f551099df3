import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../contract/errors.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import { WalFailedError, WalFullError } from '../../../platform/wal/wal.ts';
import type { SegmentInfo, WriteAheadLog } from '../../../platform/wal/wal.ts';
import type { IngestPipeline, IngestTenant, OtlpRequest } from '../pipeline-contract.ts';
import type { IngestBatch } from '../span.ts';
import { Backlog } from './backlog.ts';
import { writeBatches } from './batch-writer.ts';
import type { BatchWriterOptions, OwedHours } from './batch-writer.ts';
import { FollowUps } from './follow-ups.ts';
import type { FollowUpsOptions } from './follow-ups.ts';
import { decodeLogRecord, decodeLogRecordHead, encodeLogRecord, encodeOtlpRecord, sizeOfRows } from './log-record.ts';
import type { LogRecordHead } from './log-record.ts';
import { TraceDeletions } from './trace-deletions.ts';
import type { TraceDeletionsOptions } from './trace-deletions.ts';
import type { UsageStore } from './usage-store.ts';

export interface PipelineOptions extends BatchWriterOptions, Pick<TraceDeletionsOptions, 'deletions' | 'onTraceDeleted'> {
  /** An opened log; closed by its owner. */
  log: WriteAheadLog;
  /** Names the log in deduplication tokens. */
  logId: string;
  usage: UsageStore;
  clock: Clock;
  /** Told of every failed attempt to write a batch; the batch is tried again. */
  onWriteError(error: unknown): void;
  /** Given the bytes of a record that cannot be read, under a name of its own, to be kept; the records around it are written. */
  onUnreadable(record: Uint8Array, name: string, reason: string): Promise<void>;
  /**
   * Marks every hour that was marked at or after a moment, in epoch milliseconds. Called at the start when an earlier process left batches:
   * one that had written its rows but not marked their hours a second time finds nothing changed when it is repeated.
   */
  markHoursSince?(sinceMs: number): Promise<void>;
  /** What others do with spans once they can be read; see {@link FollowUps}. */
  followUp?: Pick<FollowUpsOptions, 'wanted' | 'run'>;
  /** From which score on a score of a project has passed that does not say so itself, by evaluator. Never rejects. */
  passThresholds?(projectId: string): Promise<ReadonlyMap<string, number>>;
  /** Least time between two batches, in milliseconds: many small parts cost ClickHouse more than few larger ones. */
  batchIntervalMs?: number;
  /** Most spans and scores that one batch holds in memory, unless one record holds more. */
  mostBatchEvents?: number;
  /** How long closing goes on writing, in milliseconds. */
  closePatienceMs?: number;
}

const firstRetryMs = 250;
const longestRetryMs = 5_000;
const closePatienceMs = 5_000;
const startRestMs = 1_000;

/**
 * From an accepted request to rows in ClickHouse. Requests are appended to the log and acknowledged when it is fsynced; a loop
 * closes the log's segment, writes it to ClickHouse as one batch, counts it, and removes it. A batch that fails is tried again until
 * it succeeds; meanwhile the log fills up to its limit and then refuses.
 */
export class Pipeline implements IngestPipeline {
  readonly #options: PipelineOptions;
  readonly #backlog = new Backlog();
  readonly #followUps: FollowUps | null;
  readonly #deletions: TraceDeletions;
  readonly #intervalMs: number;
  #lastVersion = 0;
  /** The highest in ClickHouse. */
  #writtenVersion = 0;
  #closing = false;
  /** No batch is begun after this (by `performance.now()`): what supervises the process does not wait for ever. */
  #stopAt = Number.POSITIVE_INFINITY;
  /** Aborted to cut a retry's wait short. */
  readonly #wake = new AbortController();
  #scheduled: Promise<void> | null = null;
  #lastBatchAt = 0;
  /** The segment whose records have left the backlog. */
  #counted = 0;
  /** Segments up to this one may have been written before, whole or in part. */
  #newestTried = 0;
  readonly #owedHours: OwedHours = new Map();
  /** Batches and deletions run one after the other. */
  #exclusive: Promise<unknown> = Promise.resolve();

  private constructor(options: PipelineOptions) {
    this.#options = options;
    this.#deletions = new TraceDeletions(options, (work) => this.#alone(work));
    this.#intervalMs = options.batchIntervalMs ?? 500;
    const { log, builder, followUp, onWriteError } = options;
    this.#followUps = followUp ? new FollowUps({ log, builder, ...followUp, onError: onWriteError }) : null;
  }

  /** Opens the pipeline over a log, which may hold segments of an earlier process: they are written first. */
  static async open(options: PipelineOptions): Promise<Pipeline> {
    const pipeline = new Pipeline(options);
    pipeline.#writtenVersion = await options.usage.highestVersion();
    pipeline.#lastVersion = pipeline.#writtenVersion;
    await pipeline.#deletions.finishOfEarlier();
    let oldestMs = options.clock.now();
    for (const segment of options.log.closedSegments()) {
      pipeline.#newestTried = Math.max(pipeline.#newestTried, segment.id);
      for (const record of await options.log.read(segment)) {
        const head = readableHead(record);
        if (!head) continue;
        pipeline.#backlog.add(head);
        pipeline.#lastVersion = Math.max(pipeline.#lastVersion, head.maxVersion);
        oldestMs = Math.min(oldestMs, head.receivedMs);
      }
    }
    if (options.log.closedSegments().length > 0) {
      await options.markHoursSince?.(oldestMs);
      // What was left can wait until the service is up, and until the builder knows what is stored.
      pipeline.#lastBatchAt = performance.now() + startRestMs;
      pipeline.#schedule();
    }
    return pipeline;
  }

  async accept(tenant: IngestTenant, batch: IngestBatch, countedEvents: number, bodyDigest = ''): Promise<void> {
    const events = batch.spans.length + batch.scores.length;
    const spanCount = batch.spans.reduce((sum, span) => sum + Number(span.spanId !== ''), 0);
    await this.#append(tenant, { countedEvents, events, spanCount, bodyDigest }, (told, firstVersion) =>
      encodeLogRecord(tenant, batch, told, firstVersion),
    );
  }

  async acceptOtlp(tenant: IngestTenant, request: OtlpRequest, countedEvents: number, bodyDigest = ''): Promise<void> {
    const spanCount = request.acceptedSpans;
    const events = spanCount + request.mostScores;
    await this.#append(tenant, { countedEvents, events, spanCount, bodyDigest }, (told, firstVersion) =>
      encodeOtlpRecord(tenant, request, told, firstVersion),
    );
  }

  async #append(
    tenant: IngestTenant,
    counts: Pick<LogRecordHead, 'countedEvents' | 'events' | 'spanCount' | 'bodyDigest'>,
    encode: (told: Omit<LogRecordHead, 'maxVersion'>, firstVersion: number) => Uint8Array,
  ): Promise<void> {
    if (counts.events === 0) return;
    const { log, clock } = this.#options;
    const now = clock.now();
    // One version is left out: a deletion takes it, above all that is written and below all that comes.
    const firstVersion = Math.max(this.#lastVersion + 2, now * 1000);
    this.#lastVersion = firstVersion + counts.events - 1;
    const month = `${new Date(now).toISOString().slice(0, 7)}-01`;
    const { projectId, organizationId } = tenant;
    const head: LogRecordHead = { projectId, organizationId, ...counts, month, receivedMs: now, maxVersion: this.#lastVersion };
    this.#backlog.add(head);
    try {
      await log.append(encode(head, firstVersion));
    } catch (error) {
      this.#backlog.remove(head);
      throw refusal(error);
    }
    this.#schedule();
  }

  async passThresholds(projectId: string): Promise<ReadonlyMap<string, number>> {
    return (await this.#options.passThresholds?.(projectId)) ?? new Map();
  }

  async drain(): Promise<void> {
    await this.#alone(() => this.#writeAll());
    await this.#followUps?.tried();
  }

  /** Runs `work` while nothing is written to ClickHouse and nothing deleted. Requests are accepted meanwhile, and wait in the log. */
  whileStill<T>(work: () => Promise<T>): Promise<T> {
    return this.#alone(work);
  }

  async deleteTrace(tenant: IngestTenant, traceId: string): Promise<boolean> {
    return this.#alone(async () => {
      await this.#writeAll();
      return this.#deletions.delete(tenant.projectId, traceId, this.#versionAboveWritten());
    });
  }

  #versionAboveWritten(): number {
    if (this.#options.clickhouse.mode === 'embedded') return this.#writtenVersion + 1;
    // Other replicas' versions are known by the time alone.
    this.#lastVersion = Math.max(this.#lastVersion + 1, this.#options.clock.now() * 1000);
    return this.#lastVersion;
  }

  pendingEvents(projectId: string): number {
    return this.#backlog.events(projectId);
  }

  lastActivity(projectId: string): { eventMs: number; spanMs: number } {
    return this.#backlog.lastActivity(projectId);
  }

  uncountedEvents(organizationId: string, month: string): number {
    return this.#backlog.counted(organizationId, month);
  }

  /** Writes what the log holds if ClickHouse takes it now, for a few seconds, and stops. What is left is written at the next start. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#stopAt = performance.now() + (this.#options.closePatienceMs ?? closePatienceMs);
    this.#wake.abort();
    await this.#deletions.close();
    await this.#scheduled;
    await this.#alone(() => this.#writeAll()).catch((error: unknown) => this.#options.onWriteError(error));
    await this.#followUps?.close();
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#exclusive.then(work, work);
    this.#exclusive = result.catch(() => undefined);
    return result;
  }

  /** Starts the loop unless it runs. */
  #schedule(): void {
    if (this.#closing) return;
    this.#scheduled ??= this.#loop().finally(() => {
      this.#scheduled = null;
      // A request may have been appended after the loop looked for the last time.
      if (this.#options.log.stats().backlogRecords > (this.#followUps?.records ?? 0)) this.#schedule();
    });
  }

  async #loop(): Promise<void> {
    let retryMs = firstRetryMs;
    while (!this.#closing) {
      await this.#wait(this.#lastBatchAt + this.#intervalMs - performance.now());
      if (this.#closing) return;
      this.#lastBatchAt = performance.now();
      try {
        await this.#alone(() => this.#writeAll());
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

  async #writeAll(): Promise<void> {
    for (const segment of await this.#options.log.rotate()) {
      if (this.#followUps?.has(segment)) continue;
      if (!(await this.#writeSegment(segment))) return;
    }
  }

  /** @returns false when it stopped before the end; the segment is then written from its beginning another time */
  async #writeSegment(segment: SegmentInfo): Promise<boolean> {
    const { log, logId, usage, onUnreadable } = this.#options;
    const records = (await log.read(segment)).map(measured);
    const fresh = segment.id > this.#newestTried;
    this.#newestTried = Math.max(this.#newestTried, segment.id);
    let first = 0;
    const batches = batchesOf(records, this.#options.mostBatchEvents ?? mostEvents).map((batch) => {
      const token = `${logId}-${segment.id}-${first}-${batch.length}`;
      first += batch.length;
      return { records: batch, token };
    });
    const whole = await writeBatches(
      this.#options,
      batches,
      fresh,
      this.#owedHours,
      () => performance.now() <= this.#stopAt,
      async (batch: (typeof batches)[number], unreadable) => {
        for (const { place, reason } of unreadable) {
          const name = `${segment.id}-${batches.indexOf(batch)}-${place}`;
          await onUnreadable(batch.records[place] ?? new Uint8Array(), name, reason);
        }
      },
    );
    if (!whole) return false;
    const heads = records.flatMap(({ head }) => head ?? []);
    const maxVersion = heads.reduce((highest, head) => Math.max(highest, head.maxVersion), 0);
    this.#writtenVersion = Math.max(this.#writtenVersion, maxVersion);
    await usage.count(segment.id, maxVersion, heads);
    reachFailpoint('batch-counted');
    // At once, or the events would count as used and as waiting; once, since a removal that fails brings the segment here again.
    if (this.#counted !== segment.id) for (const head of heads) this.#backlog.remove(head);
    this.#counted = segment.id;
    if (this.#followUps) this.#followUps.add(segment, new Set(heads.map(({ projectId }) => projectId)));
    else await log.remove(segment);
    return true;
  }
}

/** Most spans, scores and bytes of rows that one batch holds in memory, unless one record holds more. */
const mostEvents = 32_768;
const mostRowBytes = 96 * 1024 * 1024;

interface MeasuredRecord {
  bytes: Uint8Array;
  /** null: it cannot be read. */
  head: LogRecordHead | null;
  /** About what its rows take in memory. */
  rowBytes: number;
}

function measured(bytes: Uint8Array): MeasuredRecord {
  try {
    const record = decodeLogRecord(bytes);
    return { bytes, head: record, rowBytes: sizeOfRows(record) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { bytes, head: null, rowBytes: bytes.length };
  }
}

/** Divides a segment's records, always in the same way: a batch that is repeated after a crash is known by its place and length. */
function batchesOf(records: readonly MeasuredRecord[], most: number): Uint8Array[][] {
  const batches: Uint8Array[][] = [];
  let events = 0;
  let rowBytes = 0;
  for (const record of records) {
    const ofRecord = record.head?.events ?? 0;
    const last = batches.at(-1);
    events += ofRecord;
    rowBytes += record.rowBytes;
    if (last && events <= most && rowBytes <= mostRowBytes) {
      last.push(record.bytes);
      continue;
    }
    batches.push([record.bytes]);
    events = ofRecord;
    rowBytes = record.rowBytes;
  }
  return batches;
}

/** null for a record that is cut short. Throws for one of a newer release, which only that release may write. */
function readableHead(record: Uint8Array): LogRecordHead | null {
  try {
    return decodeLogRecordHead(record);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

function refusal(error: unknown): unknown {
  if (error instanceof WalFullError) {
    return new ServiceError(
      'unavailable',
      'The service has more data waiting than it may hold; send this again in a few seconds.',
      {
        retryAfterSeconds: 5,
        cause: error,
      },
    );
  }
  if (error instanceof WalFailedError) {
    return new ServiceError('unavailable', 'The service cannot store data just now; keep it and send it again later.', {
      retryAfterSeconds: 30,
      cause: error,
    });
  }
  return error;
}
