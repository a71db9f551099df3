import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { asServiceError, isConnectionLost } from './database-error.ts';

const closeTimeoutMs = 5_000;

/**
 * A connection pool for Kysely in which every wait has a timeout. A broken connection is not reused and does not end the process.
 * Errors of an unreachable or overloaded database become `ServiceError('unavailable')`.
 */
export class BoundedPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #statementTimeoutMs: number | null;
  readonly options: object;

  /** @param statementTimeoutMs timeout for each statement, which also detects a vanished server; null: none, for migrations */
  constructor(pool: pg.Pool, statementTimeoutMs: number | null) {
    this.#pool = pool;
    this.#statementTimeoutMs = statementTimeoutMs;
    this.options = pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw asServiceError(error);
    });
    return new BoundedClient(client, this.#statementTimeoutMs) as unknown as PostgresPoolClient;
  }

  /** Waits for running statements, but at most 5 s, for instance for a connection that is never released. */
  async end(): Promise<void> {
    const { promise: timedOut, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeTimeoutMs);
    await Promise.race([this.#pool.end(), timedOut]);
    clearTimeout(timer);
  }
}

class BoundedClient {
  readonly #client: pg.PoolClient;
  readonly #timeoutMs: number | null;
  #lost = false;

  constructor(client: pg.PoolClient, timeoutMs: number | null) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    client.on('error', this.#onError);
  }

  get processID(): number | undefined {
    return (this.#client as { processID?: number }).processID;
  }

  async query(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    // `pg` accepts `query_timeout` for each statement; its types lack it.
    const timeout = this.#timeoutMs === null ? {} : { query_timeout: this.#timeoutMs };
    // Without parameters `pg` uses the simple protocol, which migrations of several statements need.
    const parameters = values.length === 0 ? {} : { values: [...values] };
    try {
      return await this.#client.query({ text, ...parameters, ...timeout });
    } catch (error) {
      this.#lost ||= isConnectionLost(error);
      throw asServiceError(error);
    }
  }

  release(discard?: boolean): void {
    this.#client.off('error', this.#onError);
    this.#client.release(discard === true || this.#lost);
  }

  // For a connection that breaks between two statements: an 'error' event without a listener ends the process. The next statement fails.
  readonly #onError = (): void => {
    this.#lost = true;
  };
}
