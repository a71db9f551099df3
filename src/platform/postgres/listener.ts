import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { postgresChannel } from './notifications.ts';
import type { Receiver } from './notifications.ts';

export interface ListenerOptions {
  /** Of the connection that listens, which is one of its own. */
  settings: pg.ClientConfig;
  /** For the message that proves, over another connection, that messages arrive. */
  pool: pg.Pool;
  /** Told when the connection is lost or cannot be made. */
  onError: (error: Error) => void;
}

/** How long an answered question proves that the connection lives; the longest that a message may be late unnoticed. */
const leaseMs = 1_000;
/** How often that is asked. */
const askEveryMs = 300;
const proofMs = 5_000;
const farewellMs = 1_000;
const shortestBackoffMs = 100;
const longestBackoffMs = 5_000;

/**
 * Listens to PostgreSQL on a connection of its own, and connects again when that breaks. It counts as receiving only once a message
 * sent over another connection has arrived (behind a pooler that shares connections LISTEN succeeds and nothing ever comes) and while
 * the server answers: PostgreSQL sends a session the messages that wait for it before it answers a question.
 */
export class Listener implements Receiver {
  readonly #options: ListenerOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #client: pg.Client | null = null;
  /** Until when the connection is known to live, by `performance.now()`. */
  #livesUntil = 0;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  start(onMessage: (text: string) => void, onMissed: () => void): void {
    this.#running = this.#run(onMessage, onMissed);
  }

  receiving(): boolean {
    return performance.now() < this.#livesUntil;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    void this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #run(onMessage: (text: string) => void, onMissed: () => void): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await this.#listen(onMessage, () => (failures = 0));
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error as Error);
      }
      onMissed();
      const backoffMs = Math.min(longestBackoffMs, shortestBackoffMs * 2 ** Math.min(failures, 10));
      await delay(backoffMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Rejects when the connection is lost, cannot be made or is to end. */
  async #listen(onMessage: (text: string) => void, onUp: () => void): Promise<void> {
    const broken = new AbortController();
    const signal = AbortSignal.any([broken.signal, this.#stopping.signal]);
    const proof = `proof ${randomUUID()}`;
    const arrived = Promise.withResolvers<void>();
    const client = new pg.Client(this.#options.settings);
    client.on('error', (error) => broken.abort(error));
    client.on('end', () => broken.abort(new Error('the connection that listens to PostgreSQL ended')));
    client.on('notification', ({ payload = '' }) => {
      if (payload === proof) arrived.resolve();
      else onMessage(payload);
    });
    this.#client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${postgresChannel}`);
      await this.#options.pool.query('SELECT pg_notify($1, $2)', [postgresChannel, proof]);
      const late = delay(proofMs, 'late' as const, { signal, ref: false });
      if ((await Promise.race([arrived.promise, late])) === 'late')
        throw new Error('LISTEN brings no messages; let DATABASE_URL lead to PostgreSQL itself or to a pooler in session mode');
      for (;;) {
        const asked = performance.now();
        await client.query({ text: 'SELECT 1', query_timeout: leaseMs } as pg.QueryConfig);
        this.#livesUntil = asked + leaseMs;
        onUp();
        await delay(askEveryMs, undefined, { signal, ref: false });
      }
    } catch (error) {
      throw broken.signal.aborted ? broken.signal.reason : error;
    } finally {
      this.#client = null;
      this.#livesUntil = 0;
      // A question that waits for its answer makes this cut the connection; otherwise a server that has vanished is not waited for.
      await Promise.race([client.end().catch(() => undefined), delay(farewellMs, undefined, { ref: false })]);
    }
  }
}
