import type { ClickHouseClient } from '@clickhouse/client';
import { ServiceError } from '../../contract/errors.ts';
import { unavailable } from './unavailable.ts';

interface Waiting {
  take(client: ClickHouseClient): void;
  refuse(error: Error): void;
}

export interface PoolLimits {
  /** Maximum waiting queries. */
  queue: number;
  /** Maximum wait for a connection, in milliseconds; null for no limit. */
  waitMs: number | null;
}

/**
 * A pool that gives each connection one query at a time. An embedded connection runs its queries in order, so that a slow one would delay all queries behind it; here a query
 * takes the first free connection. The queue is bounded.
 */
export class ConnectionPool {
  readonly #idle: ClickHouseClient[];
  readonly #waiting = new Set<Waiting>();
  readonly #limits: PoolLimits;
  #closed = false;

  constructor(clients: readonly ClickHouseClient[], limits: PoolLimits) {
    this.#idle = [...clients];
    this.#limits = limits;
  }

  /** Runs `work` on a free connection. Rejects with `unavailable` when the queue is full or no connection is free in time. */
  async use<T>(work: (client: ClickHouseClient) => Promise<T>): Promise<T> {
    const client = await this.#take();
    try {
      return await work(client);
    } finally {
      const [next] = this.#waiting;
      if (next) {
        this.#waiting.delete(next);
        next.take(client);
      } else this.#idle.push(client);
    }
  }

  /** Rejects waiting and later work; running work continues. */
  close(): void {
    this.#closed = true;
    for (const { refuse } of this.#waiting) refuse(unavailable());
    this.#waiting.clear();
  }

  #take(): Promise<ClickHouseClient> {
    if (this.#closed) throw unavailable();
    const client = this.#idle.pop();
    if (client) return Promise.resolve(client);
    if (this.#waiting.size >= this.#limits.queue) throw tooMany();
    return new Promise((resolve, reject) => {
      const { waitMs } = this.#limits;
      const waiting: Waiting = {
        take: (free) => {
          clearTimeout(timer);
          resolve(free);
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      const timer =
        waitMs === null
          ? undefined
          : setTimeout(() => {
              this.#waiting.delete(waiting);
              reject(tooMany());
            }, waitMs);
      this.#waiting.add(waiting);
    });
  }
}

function tooMany(): ServiceError {
  return new ServiceError('unavailable', 'Too many queries are waiting; try again in a few seconds.', { retryAfterSeconds: 2 });
}
