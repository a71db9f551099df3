import type { ClickHouseClient } from '@clickhouse/client';
import type { Turns } from '../budgets/index.ts';
import { unavailable } from './unavailable.ts';

/**
 * A pool that gives each connection one query at a time. An embedded connection runs its queries in order, so that a slow one would delay all queries behind it; here a query
 * takes the first free connection, when it is the turn of its key.
 */
export class ConnectionPool {
  readonly #idle: ClickHouseClient[];
  readonly #turns: Turns;
  #closed = false;

  /** @param turns that run no more than there are connections */
  constructor(clients: readonly ClickHouseClient[], turns: Turns) {
    this.#idle = [...clients];
    this.#turns = turns;
  }

  /** Queries that run and that wait now. */
  get load(): { running: number; waiting: number } {
    return this.#turns.load;
  }

  /**
   * Runs `work` on a free connection.
   *
   * @param options.key whose turn it is: a project; none for jobs
   * @param options.signal ends the wait
   *
   * Errors: `unavailable` when too many queries wait, no connection is free in time, or the pool is closed.
   */
  async use<T>(work: (client: ClickHouseClient) => Promise<T>, { key = '', signal }: UseOptions = {}): Promise<T> {
    if (this.#closed) throw unavailable();
    return this.#turns.run(
      key,
      async () => {
        const client = this.#idle.pop();
        if (!client) throw new Error('more turns run than there are connections');
        try {
          return await work(client);
        } finally {
          this.#idle.push(client);
        }
      },
      signal,
    );
  }

  /** Rejects waiting and later work; running work continues. */
  close(): void {
    this.#closed = true;
    this.#turns.refuseWaiting(() => unavailable());
  }
}

interface UseOptions {
  key?: string;
  signal?: AbortSignal | undefined;
}
