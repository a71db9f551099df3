import { setTimeout as delay } from 'node:timers/promises';
import { reachFailpoint } from '../../../platform/failpoint/failpoint.ts';
import type { SegmentInfo, WriteAheadLog } from '../../../platform/wal/wal.ts';
import type { WrittenSpans } from '../pipeline-contract.ts';
import type { BatchBuilder } from './batch-builder.ts';

export interface FollowUpsOptions {
  log: WriteAheadLog;
  builder: Pick<BatchBuilder, 'spansOf'>;
  /** Whether anything is to be done with spans of a project. */
  wanted(projectId: string): Promise<boolean>;
  /** What is to be done with the spans of a segment; must be repeatable. */
  run(projects: readonly WrittenSpans[]): Promise<void>;
  /** Told of every attempt that failed. */
  onError(error: unknown): void;
}

interface Waiting {
  segment: SegmentInfo;
  projectIds: ReadonlySet<string>;
  done: boolean;
}

const firstRetryMs = 250;
const longestRetryMs = 5_000;

/**
 * What others do with spans once they can be read: one segment after the other, beside the pipeline, which goes on. A segment leaves the
 * log only when that is done, so that a crash does it again; what fails is tried again. Only when the log is half full of segments that wait
 * for this alone, it is given up for the oldest one: taking events comes first.
 */
export class FollowUps {
  readonly #options: FollowUpsOptions;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;
  #closing = false;
  #failures = 0;
  #wake = new AbortController();
  #attempt = Promise.withResolvers<void>();

  constructor(options: FollowUpsOptions) {
    this.#options = options;
  }

  /** Requests in the log that wait for this alone. */
  get records(): number {
    return this.#waiting.reduce((sum, { segment }) => sum + segment.records, 0);
  }

  has(segment: SegmentInfo): boolean {
    return this.#waiting.some((waiting) => waiting.segment.id === segment.id);
  }

  /** Takes over a segment that has been written; removes it from the log in the end. */
  add(segment: SegmentInfo, projectIds: ReadonlySet<string>): void {
    this.#waiting.push({ segment, projectIds, done: false });
    this.#start();
  }

  /** Resolves when everything that waits is done, or an attempt has failed. */
  async tried(): Promise<void> {
    const failures = this.#failures;
    while (this.#waiting.length > 0 && this.#failures === failures) {
      this.#wake.abort();
      await this.#attempt.promise;
    }
  }

  /** Tries a last time what waits, and stops; the rest stays in the log. */
  async close(): Promise<void> {
    await this.tried();
    this.#closing = true;
    this.#wake.abort();
    await this.#running;
  }

  #start(): void {
    if (this.#closing) return;
    this.#running ??= this.#loop().finally(() => {
      this.#running = null;
      if (this.#waiting.length > 0) this.#start();
    });
  }

  async #loop(): Promise<void> {
    let retryMs = firstRetryMs;
    for (let next = this.#waiting[0]; next && !this.#closing; next = this.#waiting[0]) {
      // Made anew before the attempt, so that a wake-up during it is not missed.
      this.#wake = new AbortController();
      const failed = await this.#do(next).then(
        () => false,
        (error: unknown) => {
          this.#options.onError(error);
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

  async #do(waiting: Waiting): Promise<void> {
    const { log } = this.#options;
    if (!waiting.done) {
      try {
        await this.#run(waiting);
      } catch (error) {
        const { backlogBytes, backlogLimitBytes } = log.stats();
        if (this.#waiting.length === 1 || backlogBytes < backlogLimitBytes / 2) throw error;
        this.#options.onError(new Error('spans are not evaluated, since the log fills up', { cause: error }));
      }
      waiting.done = true;
    }
    reachFailpoint('before-removal');
    await log.remove(waiting.segment);
    this.#waiting.shift();
  }

  async #run({ segment, projectIds }: Waiting): Promise<void> {
    const { log, builder, wanted, run } = this.#options;
    const following: string[] = [];
    for (const projectId of projectIds) if (await wanted(projectId)) following.push(projectId);
    // Read again, since nobody follows most projects.
    if (following.length > 0) await run(await builder.spansOf(await log.read(segment), following));
  }
}
