import type { ClickHouseClient } from '@clickhouse/client';
import { ServiceError } from '../../contract/errors.ts';

/**
 * Hands out connections one query at a time. An embedded connection runs its queries one after the other, so a slow one would hold
 * up every query sent behind it; here a query waits for whichever connection is free first. The queue is bounded.
 */
export class ConnectionPool {
  readonly #idle: ClickHouseClient[];
  readonly #waiting: Array<(client: ClickHouseClient) => void> = [];
  readonly #largestQueue: number;

  constructor(clients: readonly ClickHouseClient[], largestQueue: number) {
    this.#idle = [...clients];
    this.#largestQueue = largestQueue;
  }

  /** Runs `work` on a free connection. Rejects with `unavailable` when too many wait already. */
  async use<T>(work: (client: ClickHouseClient) => Promise<T>): Promise<T> {
    const client = await this.#take();
    try {
      return await work(client);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(client);
      else this.#idle.push(client);
    }
  }

  #take(): Promise<ClickHouseClient> {
    const client = this.#idle.pop();
    if (client) return Promise.resolve(client);
    if (this.#waiting.length >= this.#largestQueue) {
      throw new ServiceError('unavailable', 'Too many queries are waiting; try again in a few seconds.', {
        retryAfterSeconds: 2,
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
