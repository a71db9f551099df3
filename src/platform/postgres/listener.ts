import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { postgresChannel } from './change-feed.ts';
import type { Receiver } from './change-feed.ts';

export interface ListenerOptions {
  /** Settings of the dedicated connection that listens. */
  settings: pg.ClientConfig;
  /** Sends the test message that proves that notifications arrive. */
  pool: pg.Pool;
  /** Called when the connection is lost or cannot be made. */
  onError: (error: Error) => void;
}

/** How long an answered probe proves that the connection works; bounds how late a message may be unnoticed. */
const leaseMs = 1_000;
/** Interval of the probes. */
const probeEveryMs = 300;
const testMessageTimeoutMs = 5_000;
const closeTimeoutMs = 1_000;
const shortestBackoffMs = 100;
const longestBackoffMs = 5_000;

/**
 * Listens to PostgreSQL notifications on a dedicated connection and reconnects when it breaks. Receiving starts when a test message from
 * another connection arrives: behind a pooler in transaction mode LISTEN succeeds, but no message arrives. It lasts while the server
 * answers probes: PostgreSQL delivers pending notifications before it answers a query.
 */
export class Listener implements Receiver {
  readonly #options: ListenerOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #client: pg.Client | null = null;
  /** Until when the connection is known to work, by `performance.now()`. */
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

  /** Never resolves. Rejects when the connection is lost, cannot be made, or is closed. */
  async #listen(onMessage: (text: string) => void, onUp: () => void): Promise<void> {
    const broken = new AbortController();
    const signal = AbortSignal.any([broken.signal, this.#stopping.signal]);
    const testMessage = `proof ${randomUUID()}`;
    const arrived = Promise.withResolvers<void>();
    const client = new pg.Client(this.#options.settings);
    client.on('error', (error) => broken.abort(error));
    client.on('end', () => broken.abort(new Error('the connection that listens to PostgreSQL ended')));
    client.on('notification', ({ payload = '' }) => {
      if (payload === testMessage) arrived.resolve();
      else onMessage(payload);
    });
    this.#client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${postgresChannel}`);
      await this.#options.pool.query('SELECT pg_notify($1, $2)', [postgresChannel, testMessage]);
      const late = delay(testMessageTimeoutMs, 'late' as const, { signal, ref: false });
      if ((await Promise.race([arrived.promise, late])) === 'late')
        throw new Error('LISTEN brings no messages; let DATABASE_URL lead to PostgreSQL itself or to a pooler in session mode');
      for (;;) {
        const asked = performance.now();
        await client.query({ text: 'SELECT 1', query_timeout: leaseMs } as pg.QueryConfig);
        this.#livesUntil = asked + leaseMs;
        onUp();
        await delay(probeEveryMs, undefined, { signal, ref: false });
      }
    } catch (error) {
      throw broken.signal.aborted ? broken.signal.reason : error;
    } finally {
      this.#client = null;
      this.#livesUntil = 0;
      // With a query under way `end` closes the socket at once; otherwise the delay bounds the wait for a vanished server.
      await Promise.race([client.end().catch(() => undefined), delay(closeTimeoutMs, undefined, { ref: false })]);
    }
  }
}
