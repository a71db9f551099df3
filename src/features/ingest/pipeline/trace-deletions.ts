import { setTimeout as delay } from 'node:timers/promises';
import type { BatchWriterOptions } from './batch-writer.ts';
import { deleteTrace, finishDeletion } from './delete-trace.ts';
import type { DeletionStore } from './deletion-store.ts';

export interface TraceDeletionsOptions extends BatchWriterOptions {
  /** Without it a deletion that is cut short stays half done. */
  deletions?: Pick<DeletionStore, 'begin' | 'end' | 'begun'>;
  /** Deletes what others keep of a trace; may be repeated. */
  onTraceDeleted?(projectId: string, traceId: string): Promise<void>;
  /** See the pipeline's. */
  markHoursSince?(sinceMs: number): Promise<void>;
  onWriteError(error: unknown): void;
}

/** Runs work when no batch is being written. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>;

const retryMs = 5_000;

/**
 * Deletes traces, each to its end: it is noted before anything is done, and what a crash or a store that went away cut short is done
 * again, at the next start or in a few seconds. Half a deletion would leave spans that no figure counts.
 */
export class TraceDeletions {
  readonly #options: TraceDeletionsOptions;
  readonly #alone: Alone;
  readonly #closing = new AbortController();
  #finishing: Promise<void> | null = null;

  constructor(options: TraceDeletionsOptions, alone: Alone) {
    this.#options = options;
    this.#alone = alone;
  }

  /**
   * To be called alone, when everything that was accepted before is written.
   *
   * @param version above that of every row of the trace
   * @returns false when nothing of it is stored
   */
  async delete(projectId: string, traceId: string, version: number): Promise<boolean> {
    try {
      const found = await deleteTrace(this.#options, projectId, traceId, version, (above) =>
        this.#begin(projectId, traceId, above),
      );
      if (found) await this.#end(projectId, traceId);
      return found;
    } catch (error) {
      this.#finishLater();
      throw error;
    }
  }

  /** Does again what an earlier process was cut short in, now or, where a store does not answer, later. */
  async finishOfEarlier(): Promise<void> {
    try {
      await this.#finish();
    } catch (error) {
      this.#options.onWriteError(error);
      this.#finishLater();
    }
  }

  /** Does again what was cut short. To be called alone. */
  async #finish(): Promise<void> {
    for (const { projectId, traceId, version, begunMs } of (await this.#options.deletions?.begun()) ?? []) {
      await finishDeletion(this.#options, projectId, traceId, version);
      // It may have been cut short just before it marked its hours for the second time.
      await this.#options.markHoursSince?.(begunMs);
      await this.#end(projectId, traceId);
    }
  }

  /** What is cut short by then is done at the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#finishing;
  }

  async #begin(projectId: string, traceId: string, version: number): Promise<void> {
    await this.#options.deletions?.begin(projectId, traceId, version);
  }

  async #end(projectId: string, traceId: string): Promise<void> {
    await this.#options.onTraceDeleted?.(projectId, traceId);
    await this.#options.deletions?.end(projectId, traceId);
  }

  #finishLater(): void {
    this.#finishing ??= this.#tryAgain().finally(() => (this.#finishing = null));
  }

  async #tryAgain(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await delay(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        return await this.#alone(() => this.#finish());
      } catch (error) {
        this.#options.onWriteError(error);
      }
    }
  }
}
