import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './tables.ts';

const everyMs = 5 * 60_000;
const vacuumEvery = 12;

/**
 * Maintenance of the embedded PostgreSQL, which has no background processes. Without checkpoints the write-ahead log grows without bound
 * and a restart replays all of it; without VACUUM and ANALYZE tables that are updated often grow and slow down.
 */
export class Maintenance {
  readonly #stopping = new AbortController();
  readonly #onError: (error: Error) => void;
  #running: Promise<void> = Promise.resolve();

  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
  }

  start(database: Database): void {
    this.#running = this.#run(database);
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(database: Database): Promise<void> {
    const { signal } = this.#stopping;
    for (let round = 1; !signal.aborted; round++) {
      await delay(everyMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      await maintain(database, round % vacuumEvery === 0).catch((error: unknown) => this.#onError(error as Error));
    }
  }
}

/** One round: a checkpoint, after a VACUUM with ANALYZE if `vacuum` is set. */
export async function maintain(database: Database, vacuum: boolean): Promise<void> {
  if (vacuum) await sql`VACUUM (ANALYZE)`.execute(database);
  await sql`CHECKPOINT`.execute(database);
}
