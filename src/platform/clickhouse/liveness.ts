import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';

/** Time after which a running query is checked with a ping, and the time limit of the ping. */
const defaultPatienceMs = 5_000;

/**
 * Distinguishes a slow query from an unreachable server (stopped, partitioned, crashed): a running server answers pings even under load. Without this
 * check a read would hold its place in the pool until its timeout.
 */
export class Liveness {
  readonly #client: ClickHouseClient;
  readonly #patienceMs: number;
  #pinging: Promise<boolean> | null = null;

  /** @param client with sockets of its own, since those of queries may all be taken */
  constructor(client: ClickHouseClient, patienceMs = defaultPatienceMs) {
    this.#client = client;
    this.#patienceMs = patienceMs;
  }

  /** Runs `work`; aborts its signal when the server does not answer a ping. */
  async watch<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const gone = new AbortController();
    const done = new AbortController();
    void this.#watch(gone, done.signal);
    try {
      return await work(gone.signal);
    } finally {
      done.abort();
    }
  }

  async #watch(gone: AbortController, done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      const waited = await delay(this.#patienceMs, true, { signal: done, ref: false }).catch(() => false);
      if (waited && !(await this.#answers())) gone.abort();
    }
  }

  /** Concurrent checks share one ping. */
  #answers(): Promise<boolean> {
    this.#pinging ??= this.#client
      .ping({ select: false, abort_signal: AbortSignal.timeout(this.#patienceMs) })
      .then(({ success }) => success)
      .finally(() => {
        this.#pinging = null;
      });
    return this.#pinging;
  }
}
