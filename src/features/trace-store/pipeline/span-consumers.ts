import { setTimeout as delay } from 'node:timers/promises';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import { outsideRequests } from '../../../platform/request-scope/index.ts';
import type { SegmentInfo, WriteAheadLog } from '../../../platform/wal/wal.ts';
import type { BatchBuilder } from '../batches/batch-builder.ts';
import type { SpanConsumer } from '../pipeline-port.ts';
import { BuiltSpans } from './built-spans.ts';

export interface SpanConsumersOptions {
  log: WriteAheadLog;
  builder: Pick<BatchBuilder, 'spansOf'>;
  consumers: readonly SpanConsumer[];
  /** Called for every attempt that failed. */
  onError(consumer: string, error: unknown): void;
}

/** A written segment that some consumer has not finished. */
interface HeldSegment {
  segment: SegmentInfo;
  projectIds: ReadonlySet<string>;
  /** Projects whose spans are in memory; other spans are read from the segment. */
  built: BuiltSpans;
  /** Consumers that have not finished it. */
  unfinished: Set<SpanConsumer>;
}

const firstRetryMs = 250;
const longestRetryMs = 5_000;
/** Maximum spans that all written segments together keep in memory. */
const maxBuiltSpans = 131_072;

/**
 * Passes written segments to the span consumers, concurrently with the pipeline. Each consumer processes the segments in order and at its own
 * pace: one that fails is retried and does not delay the others. A segment is removed from the log when every consumer has finished it, so
 * that a crash repeats the rest. A consumer that fails while the log is at least half full and further segments wait skips its oldest
 * segment, so that the log can accept events.
 */
export class SpanConsumers {
  readonly #held: HeldSegment[] = [];
  readonly #workers: readonly ConsumerWorker[];

  /** @param options at least one consumer */
  constructor(options: SpanConsumersOptions) {
    const remove = async (held: HeldSegment) => {
      reachFailpoint('before-removal');
      await options.log.remove(held.segment);
      this.#held.splice(this.#held.indexOf(held), 1);
    };
    this.#workers = options.consumers.map((consumer) => new ConsumerWorker(consumer, options, remove));
  }

  /** Number of requests in the log that only consumers still need. */
  get records(): number {
    return this.#held.reduce((sum, { segment }) => sum + segment.records, 0);
  }

  has(segment: SegmentInfo): boolean {
    return this.#held.some((held) => held.segment.id === segment.id);
  }

  /** The projects among these that some consumer wants (`wants`). A failed check is repeated when the segment is consumed. */
  async wanted(projectIds: Iterable<string>): Promise<string[]> {
    const wanted: string[] = [];
    for (const projectId of projectIds) {
      const asked = this.#workers.map(({ consumer }) => consumer.wanted(projectId).catch(() => false));
      if ((await Promise.all(asked)).includes(true)) wanted.push(projectId);
    }
    return wanted;
  }

  /**
   * Queues a written segment for the consumers, and removes it from the log when all have finished it.
   *
   * @param built spans in memory; above the limit they are dropped and read from the segment
   */
  add(segment: SegmentInfo, projectIds: ReadonlySet<string>, built = new BuiltSpans([])): void {
    const inMemory = this.#held.reduce((sum, held) => sum + held.built.count, built.count);
    if (inMemory > maxBuiltSpans) built.clear();
    const held: HeldSegment = {
      segment,
      projectIds,
      built,
      unfinished: new Set(this.#workers.map(({ consumer }) => consumer)),
    };
    this.#held.push(held);
    for (const worker of this.#workers) worker.add(held);
  }

  /** Resolves when every consumer has finished its waiting segments, or has failed once. */
  async tried(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.tried()));
  }

  /** Retries the waiting segments once and stops; unfinished segments stay in the log. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }
}

/** One consumer with the segments that it has not finished. */
class ConsumerWorker {
  readonly consumer: SpanConsumer;
  readonly #options: SpanConsumersOptions;
  readonly #remove: (held: HeldSegment) => Promise<void>;
  readonly #waiting: HeldSegment[] = [];
  #running: Promise<void> | null = null;
  #closing = false;
  #failures = 0;
  #wake = new AbortController();
  #attempt = Promise.withResolvers<void>();

  /** @param remove removes a segment that every consumer has finished */
  constructor(consumer: SpanConsumer, options: SpanConsumersOptions, remove: (held: HeldSegment) => Promise<void>) {
    this.consumer = consumer;
    this.#options = options;
    this.#remove = remove;
  }

  add(held: HeldSegment): void {
    this.#waiting.push(held);
    this.#start();
  }

  async tried(): Promise<void> {
    const failures = this.#failures;
    while (this.#waiting.length > 0 && this.#failures === failures) {
      this.#wake.abort();
      await this.#attempt.promise;
    }
  }

  async close(): Promise<void> {
    await this.tried();
    this.#closing = true;
    this.#wake.abort();
    await this.#running;
  }

  #start(): void {
    if (this.#closing) return;
    this.#running ??= outsideRequests(() => this.#loop()).finally(() => {
      this.#running = null;
      if (this.#waiting.length > 0) this.#start();
    });
  }

  async #loop(): Promise<void> {
    let retryMs = firstRetryMs;
    for (let next = this.#waiting[0]; next && !this.#closing; next = this.#waiting[0]) {
      // Created before the attempt, so that a wake-up during it is not missed.
      this.#wake = new AbortController();
      const failed = await this.#finish(next).then(
        () => false,
        (error: unknown) => {
          this.#options.onError(this.consumer.name, error);
          return true;
        },
      );
      if (!failed) retryMs = firstRetryMs;
      else this.#failures += 1;
      this.#attempt.resolve();
      this.#attempt = Promise.withResolvers();
      if (!failed) continue;
      await delay(retryMs, undefined, { signal: this.#wake.signal }).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }

  async #finish(held: HeldSegment): Promise<void> {
    if (held.unfinished.has(this.consumer)) {
      try {
        await this.#consume(held);
      } catch (error) {
        const { backlogBytes, backlogLimitBytes } = this.#options.log.stats();
        if (this.#waiting.length === 1 || backlogBytes < backlogLimitBytes / 2) throw error;
        const message = `spans are skipped by ${this.consumer.name}, since the log fills up`;
        this.#options.onError(this.consumer.name, new Error(message, { cause: error }));
      }
      held.unfinished.delete(this.consumer);
    }
    // The last consumer to finish removes the segment, and retries when that fails.
    if (held.unfinished.size === 0) await this.#remove(held);
    this.#waiting.shift();
  }

  async #consume({ segment, projectIds, built }: HeldSegment): Promise<void> {
    const { log, builder } = this.#options;
    const wanted: string[] = [];
    for (const projectId of projectIds) if (await this.consumer.wanted(projectId)) wanted.push(projectId);
    const missing = wanted.filter((projectId) => !built.has(projectId));
    const read = missing.length === 0 ? [] : await builder.spansOf(await log.read(segment), missing);
    if (wanted.length > 0) await this.consumer.run([...wanted.flatMap((projectId) => built.of(projectId) ?? []), ...read]);
  }
}
