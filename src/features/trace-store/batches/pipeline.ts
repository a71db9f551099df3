import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../contract/errors.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import { WalFailedError, WalFullError } from '../../../platform/wal/wal.ts';
import type { SegmentInfo, WriteAheadLog } from '../../../platform/wal/wal.ts';
import type { IngestPipeline, IngestTenant, OtlpRequest, SpanConsumer } from '../pipeline-port.ts';
import type { IngestBatch } from '../records.ts';
import { Backlog } from '../log/backlog.ts';
import { BuiltSpans } from './built-spans.ts';
import { writeBatches } from './batch-writer.ts';
import type { BatchWriterOptions, HoursToMark } from './batch-writer.ts';
import { SpanConsumers } from './span-consumers.ts';
import {
  decodeLogRecord,
  decodeLogRecordHead,
  encodeLogRecord,
  encodeOtlpRecord,
  rowsOf,
  sizeOfRows,
} from '../log/log-record.ts';
import type { LogRecordHead } from '../log/log-record.ts';
import { isSimulated } from '../simulated-spans.ts';
import { TraceDeletions } from '../deletion/trace-deletions.ts';
import type { TraceDeletionsOptions } from '../deletion/trace-deletions.ts';
import type { UsageStore } from '../log/usage-store.ts';

export interface PipelineOptions extends BatchWriterOptions, Pick<TraceDeletionsOptions, 'deletions'> {
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
  /** Called when a span consumer failed; it is retried with the same spans. Default: `onWriteError`. */
  onConsumerError?(consumer: string, error: unknown): void;
  /** Minimum time between two batches, in milliseconds: many small parts cost ClickHouse more than few larger ones. */
  batchIntervalMs?: number;
  /** Maximum spans and scores of one batch, unless one record has more. */
  maxBatchEvents?: number;
  /** Time after which {@link Pipeline.close} begins no further batch, in milliseconds. */
  closePatienceMs?: number;
}

/** Hooks of features that are opened after the pipeline. */
export interface PipelineHooks extends Pick<TraceDeletionsOptions, 'onTraceDeleted'> {
  /** See {@link SpanConsumers}. */
  spanConsumers?: readonly SpanConsumer[];
  /** The pass thresholds of a project by evaluator, for scores without `passed`. Never rejects. */
  passThresholds?(projectId: string): Promise<ReadonlyMap<string, number>>;
}

const firstRetryMs = 250;
const longestRetryMs = 5_000;
const closePatienceMs = 5_000;
const startRestMs = 1_000;

/**
 * Stores accepted requests as rows in ClickHouse. Requests are appended to the log and acknowledged after its fsync. A loop closes the
 * log's segment, writes it to ClickHouse in batches, counts it for the quota, and removes it. A batch that fails is retried until it
 * succeeds; meanwhile the log fills up to its limit, and then requests are refused.
 */
export class Pipeline implements IngestPipeline {
  readonly #options: PipelineOptions;
  readonly #backlog = new Backlog();
  #hooks: PipelineHooks = {};
  #spanConsumers: SpanConsumers | null = null;
  readonly #deletions: TraceDeletions;
  readonly #intervalMs: number;
  #lastVersion = 0;
  /** The highest version in ClickHouse. */
  #writtenVersion = 0;
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
  /** Batches and deletions run one after the other. */
  #exclusive: Promise<unknown> = Promise.resolve();

  /** The pipeline is idle until {@link start}. */
  constructor(options: PipelineOptions) {
    this.#options = options;
    const onTraceDeleted = async (projectId: string, traceId: string) => this.#hooks.onTraceDeleted?.(projectId, traceId);
    this.#deletions = new TraceDeletions({ ...options, onTraceDeleted }, (work) => this.#alone(work));
    this.#intervalMs = options.batchIntervalMs ?? 500;
  }

  /** Makes a pipeline and starts it. */
  static async open(options: PipelineOptions & PipelineHooks): Promise<Pipeline> {
    const pipeline = new Pipeline(options);
    await pipeline.start(options);
    return pipeline;
  }

  /**
   * Starts the pipeline; to be called once, before events are accepted. Finishes deletions that an earlier process began. Segments that it
   * left in the log are written first.
   */
  async start(hooks: PipelineHooks): Promise<void> {
    this.#hooks = hooks;
    const { log, builder, usage, clock, markHoursSince, onWriteError } = this.#options;
    const { onConsumerError: onError = (_consumer, error) => onWriteError(error) } = this.#options;
    const { spanConsumers: consumers = [] } = hooks;
    if (consumers.length > 0) this.#spanConsumers = new SpanConsumers({ log, builder, consumers, onError });
    this.#writtenVersion = await usage.highestVersion();
    this.#lastVersion = this.#writtenVersion;
    await this.#deletions.finishOfEarlier();
    let oldestMs = clock.now();
    for (const segment of log.closedSegments()) {
      this.#newestTried = Math.max(this.#newestTried, segment.id);
      for (const record of await log.read(segment)) {
        const head = readableHead(record);
        if (!head) continue;
        this.#backlog.add(head);
        this.#lastVersion = Math.max(this.#lastVersion, head.maxVersion);
        oldestMs = Math.min(oldestMs, head.receivedMs);
      }
    }
    if (log.closedSegments().length > 0) {
      await markHoursSince?.(oldestMs);
      // Delayed until the service is up and the builder has loaded the stored ids.
      this.#lastBatchAt = performance.now() + startRestMs;
      this.#schedule();
    }
  }

  async accept(tenant: IngestTenant, batch: IngestBatch, countedEvents: number, bodyDigest = ''): Promise<void> {
    const events = batch.spans.length + batch.scores.length;
    const spanCount = batch.spans.filter((span) => span.spanId !== '' && !isSimulated(span)).length;
    await this.#append(tenant, { countedEvents, events, spanCount, bodyDigest }, rowsOf(batch), (told, firstVersion) =>
      encodeLogRecord(tenant, batch, told, firstVersion),
    );
  }

  async acceptOtlp(tenant: IngestTenant, request: OtlpRequest, countedEvents: number, bodyDigest = ''): Promise<void> {
    const spanCount = request.acceptedSpans;
    const events = spanCount + request.maxScores;
    await this.#append(tenant, { countedEvents, events, spanCount, bodyDigest }, events, (told, firstVersion) =>
      encodeOtlpRecord(tenant, request, told, firstVersion),
    );
  }

  async #append(
    tenant: IngestTenant,
    counts: Pick<LogRecordHead, 'countedEvents' | 'events' | 'spanCount' | 'bodyDigest'>,
    rows: number,
    encode: (told: Omit<LogRecordHead, 'maxVersion'>, firstVersion: number) => Uint8Array,
  ): Promise<void> {
    if (rows === 0) return;
    const { log, clock } = this.#options;
    const now = clock.now();
    // Skips one version for a deletion: above all written rows and below all later ones.
    const firstVersion = Math.max(this.#lastVersion + 2, now * 1000);
    this.#lastVersion = firstVersion + rows - 1;
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
    return (await this.#hooks.passThresholds?.(projectId)) ?? new Map();
  }

  async drain(): Promise<void> {
    await this.#alone(() => this.#writeAll());
    await this.#spanConsumers?.tried();
  }

  /**
   * Runs `work` while no batch is written and no trace deleted. Requests are still accepted and wait in the log.
   *
   * @param work gets a version above those of all written rows, and below those of rows that are written later
   */
  whileStill<T>(work: (version: number) => Promise<T>): Promise<T> {
    return this.#alone(() => work(this.#versionAboveWritten()));
  }

  async deleteTrace(tenant: IngestTenant, traceId: string): Promise<boolean> {
    return this.#alone(async () => {
      await this.#writeAll();
      return this.#deletions.delete(tenant.projectId, traceId, this.#versionAboveWritten());
    });
  }

  #versionAboveWritten(): number {
    if (this.#options.clickhouse.mode === 'embedded') return this.#writtenVersion + 1;
    // Versions follow the clock, since those of other replicas are not known.
    this.#lastVersion = Math.max(this.#lastVersion + 1, this.#options.clock.now() * 1000);
    return this.#lastVersion;
  }

  pendingEvents(projectId: string): number {
    return this.#backlog.events(projectId);
  }

  lastActivity(projectId: string): { eventMs: number; spanMs: number } {
    return this.#backlog.lastActivity(projectId, this.#options.clock.now());
  }

  uncountedEvents(organizationId: string, month: string): number {
    return this.#backlog.counted(organizationId, month);
  }

  /** Tries for a few seconds to write the rest of the log to ClickHouse, then stops. The remainder is written at the next start. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#stopAt = performance.now() + (this.#options.closePatienceMs ?? closePatienceMs);
    this.#wake.abort();
    await this.#deletions.close();
    await this.#scheduled;
    await this.#alone(() => this.#writeAll()).catch((error: unknown) => this.#options.onWriteError(error));
    await this.#spanConsumers?.close();
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
      // A request may have been appended after the loop's last check.
      if (this.#options.log.stats().backlogRecords > (this.#spanConsumers?.records ?? 0)) this.#schedule();
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
      if (this.#spanConsumers?.has(segment)) continue;
      if (!(await this.#writeSegment(segment))) return;
    }
  }

  /** @returns false when it stopped before the end; the segment is then written again from its beginning */
  async #writeSegment(segment: SegmentInfo): Promise<boolean> {
    const { log, logId, usage, onUnreadable } = this.#options;
    const records = (await log.read(segment)).map(measured);
    const fresh = segment.id > this.#newestTried;
    this.#newestTried = Math.max(this.#newestTried, segment.id);
    let first = 0;
    const batches = batchesOf(records, this.#options.maxBatchEvents ?? maxEvents).map((batch) => {
      const token = `${logId}-${segment.id}-${first}-${batch.length}`;
      first += batch.length;
      return { records: batch, token };
    });
    const heads = records.flatMap(({ head }) => head ?? []);
    const projectIds = new Set(heads.map(({ projectId }) => projectId));
    const built = new BuiltSpans((await this.#spanConsumers?.wanted(projectIds)) ?? []);
    const whole = await writeBatches(
      this.#options,
      batches,
      fresh,
      this.#hoursToMark,
      () => performance.now() <= this.#stopAt,
      built.projectIds,
      async (batch: (typeof batches)[number], { unreadable, spans }) => {
        built.add(spans);
        for (const { place, reason } of unreadable) {
          const name = `${segment.id}-${batches.indexOf(batch)}-${place}`;
          await onUnreadable(batch.records[place] ?? new Uint8Array(), name, reason);
        }
      },
    );
    if (!whole) return false;
    const maxVersion = heads.reduce((highest, head) => Math.max(highest, head.maxVersion), 0);
    this.#writtenVersion = Math.max(this.#writtenVersion, maxVersion);
    await usage.count(segment.id, maxVersion, heads);
    reachFailpoint('batch-counted');
    // Without an await after the count, or the events would count twice. Only once, since a failed removal repeats the segment.
    if (this.#counted !== segment.id) for (const head of heads) this.#backlog.remove(head);
    this.#counted = segment.id;
    if (this.#spanConsumers) this.#spanConsumers.add(segment, projectIds, built);
    else await log.remove(segment);
    return true;
  }
}

/** Maximum spans, scores and bytes of rows of one batch, unless one record has more. */
const maxEvents = 32_768;
const maxRowBytes = 96 * 1024 * 1024;

interface MeasuredRecord {
  bytes: Uint8Array;
  /** null when the record cannot be read. */
  head: LogRecordHead | null;
  /** Approximate size of its rows in memory, in bytes. */
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

/** Divides a segment's records into batches, deterministically: a batch repeated after a crash has the same position and length. */
function batchesOf(records: readonly MeasuredRecord[], maxEvents: number): Uint8Array[][] {
  const batches: Uint8Array[][] = [];
  let events = 0;
  let rowBytes = 0;
  for (const record of records) {
    const ofRecord = record.head?.events ?? 0;
    const last = batches.at(-1);
    events += ofRecord;
    rowBytes += record.rowBytes;
    if (last && events <= maxEvents && rowBytes <= maxRowBytes) {
      last.push(record.bytes);
      continue;
    }
    batches.push([record.bytes]);
    events = ofRecord;
    rowBytes = record.rowBytes;
  }
  return batches;
}

/** Reads the head of a record; null when it is truncated. Throws when a newer release wrote it: only that release can write its rows. */
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
