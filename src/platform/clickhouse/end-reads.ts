import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { unavailable } from './unavailable.ts';

/** Time after which a read that goes on is ended again: the engine may not have begun it before. */
const againMs = 100;

/**
 * Ends reads whose callers have gone. To close the connection of a read is not enough: the embedded engine has no way to interrupt a statement, and a
 * server goes on. Each read begins with a comment of its own, by which `KILL QUERY` finds it.
 */
export class EndReads {
  readonly #connect: () => ClickHouseClient;
  readonly #ending = new Set<Promise<void>>();
  #client: ClickHouseClient | null = null;

  /** @param connect a connection that is not that of a read */
  constructor(connect: () => ClickHouseClient) {
    this.#connect = connect;
  }

  /**
   * Runs `read` with a SELECT; when the signal aborts, ends it in the engine.
   *
   * Errors: those of the read; `unavailable` when the signal aborted: an ended read may resolve with a part of its rows.
   */
  async during<T>(signal: AbortSignal | undefined, sql: string, read: (sql: string) => Promise<T>): Promise<T> {
    if (!signal) return read(sql);
    const id = randomUUID();
    const done = new AbortController();
    const end = () => {
      const ending = this.#end(id, done.signal).finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    };
    const reading = read(`/* read ${id} */ ${sql}`);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    try {
      const rows = await reading;
      if (signal.aborted) throw unavailable();
      return rows;
    } finally {
      done.abort();
      signal.removeEventListener('abort', end);
    }
  }

  /** Resolves when no connection is in use. */
  async close(): Promise<void> {
    await Promise.all(this.#ending);
  }

  async #end(id: string, done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      await this.#kill(id).catch(() => undefined);
      await delay(againMs, undefined, { signal: done, ref: false }).catch(() => undefined);
    }
  }

  async #kill(id: string): Promise<void> {
    this.#client ??= this.#connect();
    // The text is put together by the engine, so that the statement does not find itself.
    await this.#client.command({ query: `KILL QUERY WHERE position(query, concat('/* read ', '${id} */')) > 0 ASYNC` });
  }
}
