import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ChangeFeed } from '../../platform/postgres/index.ts';
import { noOwnPrices } from '../pricing/index.ts';
import type { OwnPrices } from '../pricing/index.ts';

/** The channel on which every change of a project's prices is announced; the message is the project's id. */
export const pricesChannel = 'prices';

interface Entry {
  loading: Promise<OwnPrices> | null;
  /** The last result. */
  known: OwnPrices;
  /** null: never loaded, or changed since. */
  loadedAtMs: number | null;
  /** Counts the changes that were announced. */
  changes: number;
  /** After a failure, when to load again. */
  retryAtMs: number;
}

/** How long prices are used without the change feed, in milliseconds. */
const freshMs = 2_000;
const retryMs = 1_000;
const maxProjects = 10_000;

/**
 * Caches the own prices of each project, which every request with spans needs. A change is seen at once in this process, and in others by the change feed,
 * within a second; while it is interrupted, within {@link freshMs}.
 */
export class OwnPriceCache {
  readonly #load: (projectId: string) => Promise<OwnPrices>;
  readonly #changeFeed: ChangeFeed;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #entries = new LRUCache<string, Entry>({ max: maxProjects });
  readonly #unsubscribe: () => void;

  constructor(
    load: (projectId: string) => Promise<OwnPrices>,
    changeFeed: ChangeFeed,
    clock: Clock,
    onError: (error: unknown) => void,
  ) {
    this.#load = load;
    this.#changeFeed = changeFeed;
    this.#clock = clock;
    this.#onError = onError;
    this.#unsubscribe = changeFeed.subscribe(pricesChannel, {
      onMessage: (projectId) => this.#expire(this.#entries.get(projectId)),
      onMissed: () => {
        for (const entry of this.#entries.values()) this.#expire(entry);
      },
    });
  }

  /** Never rejects: while the database does not answer, the last known prices apply. */
  async of(projectId: string): Promise<OwnPrices> {
    const entry = this.#entryOf(projectId);
    const now = this.#clock.now();
    if (entry.loadedAtMs !== null && (this.#changeFeed.receiving() || Math.abs(now - entry.loadedAtMs) < freshMs))
      return entry.known;
    if (now < entry.retryAtMs) return entry.known;
    const loading = entry.loading ?? this.#reload(projectId, entry, now);
    // Ingestion must not wait for a database that does not answer.
    return entry.loadedAtMs === null ? loading : entry.known;
  }

  close(): void {
    this.#unsubscribe();
  }

  #entryOf(projectId: string): Entry {
    const found = this.#entries.get(projectId);
    if (found) return found;
    const entry: Entry = { loading: null, known: noOwnPrices, loadedAtMs: null, changes: 0, retryAtMs: 0 };
    this.#entries.set(projectId, entry);
    return entry;
  }

  #reload(projectId: string, entry: Entry, nowMs: number): Promise<OwnPrices> {
    const { changes } = entry;
    const loading = this.#load(projectId).then(
      (prices) => {
        // Prices that were read before a change may be out of date.
        if (entry.changes === changes) Object.assign(entry, { known: prices, loadedAtMs: nowMs, loading: null });
        return prices;
      },
      (error: unknown) => {
        this.#onError(error);
        if (entry.changes === changes) Object.assign(entry, { retryAtMs: nowMs + retryMs, loading: null });
        return entry.known;
      },
    );
    entry.loading = loading;
    return loading;
  }

  #expire(entry: Entry | undefined): void {
    if (entry) Object.assign(entry, { loadedAtMs: null, loading: null, retryAtMs: 0, changes: entry.changes + 1 });
  }
}
