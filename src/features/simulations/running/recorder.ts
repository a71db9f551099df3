import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from '../../../contract/errors.ts';
import { LeaseLost } from '../../../platform/jobs/leased-queue/index.ts';
import { bytesOf } from './item-result.ts';
import type { ItemResult } from './item-result.ts';

/** Results, and bytes of them, that one statement records. The memory of the embedded PostgreSQL never shrinks, so the bytes are few. */
const maxResults = 500;
const maxBytes = 4_000_000;
/** Results, and bytes of them, that wait; further ones wait before they are taken. */
const maxWaiting = 1_000;
const maxWaitingBytes = 32_000_000;
/**
 * A statement has a cost of its own, that of some 50 results. One that would record less than the maximum begins so many times as late after the beginning of
 * the one before as that took, at most so many milliseconds later.
 */
const restFactor = 4;
const maxRestMs = 250;
/** The wait before results are recorded again, while a store does not answer. */
const retryMs = 1_000;

interface Entry {
  result: ItemResult;
  bytes: number;
  /** Called once the result is durable, or with why it is not. */
  settled(failure: unknown): void;
}

/**
 * Records results of a run in groups: all that arrive while one is recorded, and in the milliseconds after, are recorded together. Repeats a statement while
 * a store does not answer, so that no answer of a target is lost.
 */
export class Recorder {
  readonly #record: (results: readonly ItemResult[]) => Promise<void>;
  readonly #signal: AbortSignal;
  #waiting: Entry[] = [];
  #waitingBytes = 0;
  #working: Promise<void> | null = null;
  #room = Promise.withResolvers<void>();
  #failure: unknown = null;
  /** When the next group may begin if it is not full, of `performance.now()`. */
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** Ends the wait for further results. */
  #hurry: (() => void) | null = null;
  #draining = false;

  /**
   * @param record stores results durably. Errors: `unavailable`, after which it is repeated; others end the recorder
   * @param signal ends the recorder
   */
  constructor(record: (results: readonly ItemResult[]) => Promise<void>, signal: AbortSignal) {
    this.#record = record;
    this.#signal = signal;
  }

  /**
   * Adds a result; waits while too many wait.
   *
   * @param recorded called once the result is durable
   * Errors: that of an earlier result.
   */
  async add(result: ItemResult, recorded: () => void): Promise<void> {
    await this.#push(result, (failure) => {
      if (failure === null) recorded();
    });
  }

  /** Records a result; resolves once it is durable. Errors: that of `record`; {@link LeaseLost}. */
  async record(result: ItemResult): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    await this.#push(result, (failure) => {
      if (failure === null) resolve();
      else reject(failure as Error);
    });
    await promise;
  }

  /** Resolves when every added result is recorded. Errors: that of `record`; {@link LeaseLost}. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#hurry?.();
    while (this.#working) await this.#working;
    if (this.#failure !== null) throw this.#failure;
  }

  async #push(result: ItemResult, settled: Entry['settled']): Promise<void> {
    while (this.#waiting.length >= maxWaiting || this.#waitingBytes >= maxWaitingBytes) await this.#room.promise;
    if (this.#failure !== null) throw this.#failure;
    const entry: Entry = { result, bytes: bytesOf(result), settled };
    this.#waiting.push(entry);
    this.#waitingBytes += entry.bytes;
    if (this.#isFull) this.#hurry?.();
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  get #isFull(): boolean {
    return this.#waiting.length >= maxResults || this.#waitingBytes >= maxBytes;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const beganAt = performance.now();
      const entries = this.#next();
      try {
        if (this.#failure === null) await this.#recordUntilDone(entries.map(({ result }) => result));
      } catch (error) {
        this.#failure = error;
      }
      this.#restsUntil = beganAt + Math.min(restFactor * (performance.now() - beganAt), maxRestMs);
      for (const { settled } of entries) settled(this.#failure);
      this.#room.resolve();
      this.#room = Promise.withResolvers<void>();
    }
  }

  /** Waits for further results for some milliseconds, if a group has just been recorded. */
  async #gather(): Promise<void> {
    const waitMs = this.#restsUntil - performance.now();
    if (waitMs <= 0 || this.#draining || this.#isFull || this.#failure !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hurry = resolve;
    const timer = setTimeout(resolve, waitMs);
    await promise;
    clearTimeout(timer);
    this.#hurry = null;
  }

  #next(): Entry[] {
    let bytes = 0;
    let count = 0;
    for (const entry of this.#waiting) {
      if (count > 0 && (count >= maxResults || bytes + entry.bytes > maxBytes)) break;
      bytes += entry.bytes;
      count += 1;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  async #recordUntilDone(results: readonly ItemResult[]): Promise<void> {
    for (;;) {
      if (this.#signal.aborted) throw new LeaseLost();
      try {
        await this.#record(results);
        return;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
      await delay(retryMs, undefined, { signal: this.#signal }).catch(() => undefined);
    }
  }
}
