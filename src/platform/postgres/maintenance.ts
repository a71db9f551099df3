import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const everyMs = 5 * 60_000;
const vacuumEvery = 12;

/**
 * What a PostgreSQL server's own processes do and the embedded one has nobody for: without checkpoints its log grows for ever and a
 * restart replays all of it, without vacuum and statistics tables that are updated all the time grow and slow down.
 */
export class Maintenance {
  readonly #stopping = new AbortController();
  readonly #onError: (error: Error) => void;
  #running: Promise<void> = Promise.resolve();

  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
  }

  start(database: Kysely<unknown>): void {
    this.#running = this.#run(database);
  }

  /** Resolves when the round under way has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(database: Kysely<unknown>): Promise<void> {
    const { signal } = this.#stopping;
    for (let round = 1; !signal.aborted; round++) {
      await delay(everyMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      await maintain(database, round % vacuumEvery === 0).catch((error: unknown) => this.#onError(error as Error));
    }
  }
}

/** One round: a checkpoint, and from time to time a vacuum with statistics before it. */
export async function maintain(database: Kysely<unknown>, vacuum: boolean): Promise<void> {
  if (vacuum) await sql`VACUUM (ANALYZE)`.execute(database);
  await sql`CHECKPOINT`.execute(database);
}
