import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { asServiceError, isConnectionLost } from './database-error.ts';

const closePatienceMs = 5_000;

/**
 * A pool as Kysely takes it, in which nothing waits for ever and a broken connection is neither used again nor ends the process.
 * Errors of a database that is away are `ServiceError('unavailable')`.
 */
export class BoundedPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #statementTimeoutMs: number | null;
  readonly options: object;

  /** @param statementTimeoutMs longest wait for an answer, also of a server that has vanished; null: none, for migrations */
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

  /** Waits for statements under way, but not for a connection that nobody gives back. */
  async end(): Promise<void> {
    const { promise: impatience, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closePatienceMs);
    await Promise.race([this.#pool.end(), impatience]);
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
    // `pg` takes the timeout of a statement, which its types leave out.
    const timeout = this.#timeoutMs === null ? {} : { query_timeout: this.#timeoutMs };
    // Without parameters the simple protocol is used, which a migration of several statements needs.
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

  // A connection that breaks between two statements of a transaction: without a listener it would end the process. The next
  // statement fails.
  readonly #onError = (): void => {
    this.#lost = true;
  };
}
