import { setTimeout as delay } from 'node:timers/promises';
import type { BatchWriterOptions } from '../batches/batch-writer.ts';
import type { OnDeletionBegun, OnDeletionsBegun } from '../pipeline-port.ts';
import { deleteTrace, finishDeletion } from './delete-trace.ts';
import { deleteTraces, groupTraces } from './delete-traces.ts';
import type { DeletionStore } from './deletion-store.ts';

export interface TraceDeletionsOptions extends BatchWriterOptions {
  /** Records deletions; without it an interrupted one is not finished, and payloads stay on disk. */
  deletions?: Pick<DeletionStore, 'begin' | 'hide' | 'begun'>;
  /** Deletes what other features keep of traces; may be repeated. */
  onTracesDeleted?(projectId: string, traceIds: readonly string[]): Promise<void>;
  /** See `PipelineOptions.onWriteError`. */
  markHoursSince?(sinceMs: number): Promise<void>;
  onWriteError(error: unknown): void;
}

/** Runs work while no batch is being written. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>;

const retryMs = 5_000;

/**
 * Deletes traces completely. A deletion is recorded before its first step; one that a crash or an unavailable store interrupted is repeated
 * at the next start or after a few seconds. A partial deletion would leave spans that no figure counts.
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
   * To be called while no batch is being written, after everything accepted before was written.
   *
   * @param version higher than that of every row of the trace
   * @param onBegun called in the transaction that records the deletion, once
   * @returns false when the trace is not stored
   */
  async delete(projectId: string, traceId: string, version: number, onBegun?: OnDeletionBegun): Promise<boolean> {
    let recorded = false;
    try {
      const found = await deleteTrace(this.#options, projectId, traceId, version, async (above, stored) => {
        await this.#options.deletions?.begin(projectId, [traceId], above, async (transaction) => {
          // A trace of very many spans is deleted in several rounds.
          if (!recorded) await onBegun?.(transaction, stored);
        });
        recorded = true;
      });
      if (found) await this.#hide(projectId, [traceId]);
      return found;
    } catch (error) {
      this.#finishLater();
      throw error;
    }
  }

  /**
   * Deletes traces, by few inserts for all of them. To be called as {@link delete}.
   *
   * @param onBegun called in each transaction that records deletions
   * @returns those that were stored
   */
  async deleteMany(
    projectId: string,
    traceIds: readonly string[],
    version: number,
    onBegun?: OnDeletionsBegun,
  ): Promise<Set<string>> {
    const found = new Set<string>();
    const { groups, large } = await groupTraces(this.#options, projectId, traceIds);
    for (const traceId of large) {
      const begun: OnDeletionBegun = async (transaction, stored) => onBegun?.(transaction, [{ traceId, ...stored }]);
      if (await this.delete(projectId, traceId, version, begun)) found.add(traceId);
    }
    try {
      for (const group of groups) {
        const deleted = await deleteTraces(this.#options, projectId, group, version, async (above, begun) => {
          const ids = begun.map(({ traceId }) => traceId);
          await this.#options.deletions?.begin(projectId, ids, above, async (transaction) => onBegun?.(transaction, begun));
        });
        if (deleted.length > 0) await this.#hide(projectId, deleted);
        for (const traceId of deleted) found.add(traceId);
      }
      return found;
    } catch (error) {
      this.#finishLater();
      throw error;
    }
  }

  /** Repeats the interrupted deletions of an earlier process, now or, while a store is unavailable, later. */
  async finishOfEarlier(): Promise<void> {
    try {
      await this.#finish();
    } catch (error) {
      this.#options.onWriteError(error);
      this.#finishLater();
    }
  }

  /** Repeats interrupted deletions. To be called while no batch is being written. */
  async #finish(): Promise<void> {
    for (const { projectId, traceId, version, begunMs } of (await this.#options.deletions?.begun()) ?? []) {
      await finishDeletion(this.#options, projectId, traceId, version);
      // The deletion may have been interrupted just before it marked its hours again.
      await this.#options.markHoursSince?.(begunMs);
      await this.#hide(projectId, [traceId]);
    }
  }

  /** Stops retrying; interrupted deletions are repeated at the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#finishing;
  }

  async #hide(projectId: string, traceIds: readonly string[]): Promise<void> {
    await this.#options.onTracesDeleted?.(projectId, traceIds);
    await this.#options.deletions?.hide(projectId, traceIds);
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
