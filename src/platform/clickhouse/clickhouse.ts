import type { ClickHouseClient } from '@clickhouse/client';
import { ConnectionPool } from './connection-pool.ts';
import { openChdb, openHttp } from './connect.ts';
import type { InsertRows, RowsInserter } from './insert-rows.ts';
import type { Liveness } from './liveness.ts';
import { tenantSettings } from './tenant-settings.ts';
import type { TenantScope, TenantTables } from './tenant-settings.ts';
import { translated } from './unavailable.ts';
import { withLiterals } from './with-literals.ts';

export type QueryParameters = Readonly<Record<string, unknown>>;

/** Reads one tenant's rows. Every table named in the SQL is filtered by project and retention by the engine itself. */
export interface TenantReader {
  /**
   * Rows of a SELECT. `{name:Type}` parameters are bound by the engine. The text must not have a SETTINGS clause.
   * Errors: `ServiceError('unavailable')` when ClickHouse is away, overloaded or too slow; within a minute at the worst, counting the wait for its turn.
   */
  query<T>(sql: string, parameters?: QueryParameters): Promise<T[]>;
  /** `INSERT INTO ... SELECT ...` whose SELECT reads as this tenant; on the connection for jobs. */
  insertSelect(sql: string, parameters?: QueryParameters): Promise<void>;
}

/** The analytical database: ClickHouse in this process (chDB) or over HTTP, one dialect. */
export interface ClickHouse {
  readonly mode: 'embedded' | 'http';
  readonly cluster: string | null;
  forTenant(scope: TenantScope): TenantReader;
  /** Inserts rows of RowBinary durably. May be repeated: what is there already is replaced by its version, or, on a cluster, known by the token. */
  insertRows(rows: InsertRows): Promise<void>;
  /** DDL, maintenance and cross-tenant jobs; never used to answer a request. */
  command(sql: string, parameters?: QueryParameters): Promise<void>;
  /** Rows of a cross-tenant read of a job; never used to answer a request. */
  systemQuery<T>(sql: string, parameters?: QueryParameters): Promise<T[]>;
  /** Resolves when the engine answers, else rejects with `ServiceError('unavailable')`. */
  ping(): Promise<void>;
  /**
   * Over HTTP, breaks off what is under way and refuses what comes after (`unavailable`), so that a server which does not answer cannot
   * hold up the end of this process. The embedded engine does answer, and goes on until {@link close}.
   */
  abandon(): Promise<void>;
  close(): Promise<void>;
}

export interface ClickHouseOptions {
  /** null: the engine in this process. Else `http://user:password@host:8123/database`; without a database the server's `default`. */
  url: string | null;
  /** Where the embedded engine keeps its data. */
  dataDirectory: string;
  /** For the files that rows are handed over by. */
  temporaryDirectory: string;
  /** Name of the ClickHouse cluster for replicated, distributed tables; null on a single node. */
  cluster: string | null;
  tables: TenantTables;
  /** Embedded connections for reads; each carries one query at a time. */
  readConnections?: number;
}

/** Longest that one read may take, and what it may hold in memory. */
const readLimits = { max_execution_time: 25, max_memory_usage: String(2_000_000_000) };
/** The same for jobs; said with each statement, since an embedded connection keeps what the statement before it set. */
const jobLimits = { max_execution_time: 600, max_memory_usage: String(4_000_000_000) };
const largestQueue = 200;
/** Longest that a read waits for its turn. */
const longestQueueMs = 20_000;

class ClickHouseStore implements ClickHouse {
  readonly mode: 'embedded' | 'http';
  readonly cluster: string | null;
  readonly #readers: ConnectionPool;
  readonly #writer: ConnectionPool;
  readonly #jobs: ConnectionPool;
  readonly #inserter: RowsInserter;
  readonly #liveness: Liveness | null;
  readonly #tables: TenantTables;
  readonly #clients: ReadonlySet<ClickHouseClient>;

  constructor(options: ClickHouseOptions) {
    this.mode = options.url === null ? 'embedded' : 'http';
    this.cluster = options.cluster;
    this.#tables = options.tables;
    const opened =
      options.url === null ? openChdb(options, options.readConnections ?? 3) : openHttp(options.url, options.cluster);
    this.#readers = new ConnectionPool(opened.readers, { queue: largestQueue, waitMs: longestQueueMs });
    this.#writer = new ConnectionPool([opened.writer], { queue: largestQueue, waitMs: null });
    this.#jobs = new ConnectionPool([opened.jobs], { queue: largestQueue, waitMs: null });
    this.#inserter = opened.inserter;
    this.#liveness = opened.liveness;
    this.#clients = opened.clients;
  }

  forTenant(scope: TenantScope): TenantReader {
    const settings = tenantSettings(this.#tables, scope);
    return {
      query: (sql, parameters) => this.#read(`${sql}\n${settings}`, parameters),
      insertSelect: (sql, parameters) => this.#run(this.#jobs, `${sql}\n${settings}`, parameters),
    };
  }

  insertRows(rows: InsertRows): Promise<void> {
    return this.#writer.use((client) => translated(this.mode, this.#inserter(client, rows)));
  }

  command(sql: string, parameters?: QueryParameters): Promise<void> {
    return this.#run(this.#jobs, sql, parameters);
  }

  systemQuery<T>(sql: string, parameters?: QueryParameters): Promise<T[]> {
    return this.#jobs.use((client) => this.#select(client, sql, parameters));
  }

  async ping(): Promise<void> {
    await this.#read('SELECT 1');
  }

  async abandon(): Promise<void> {
    if (this.mode === 'embedded') return;
    for (const pool of [this.#readers, this.#writer, this.#jobs]) pool.close();
    await this.close();
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
  }

  #read<T>(sql: string, parameters?: QueryParameters): Promise<T[]> {
    const liveness = this.#liveness;
    return this.#readers.use((client) =>
      liveness === null
        ? this.#select(client, sql, parameters)
        : liveness.watch((signal) => this.#select(client, sql, parameters, signal)),
    );
  }

  #select<T>(client: ClickHouseClient, sql: string, parameters?: QueryParameters, signal?: AbortSignal): Promise<T[]> {
    const rows = async () => {
      const result = await client.query({
        ...this.#bound(sql, parameters),
        format: 'JSONEachRow',
        clickhouse_settings: readLimits,
        ...(signal ? { abort_signal: signal } : {}),
      });
      return result.json<T>();
    };
    return translated(this.mode, rows());
  }

  #run(pool: ConnectionPool, sql: string, parameters?: QueryParameters): Promise<void> {
    return pool.use(async (client) => {
      await translated(this.mode, client.command({ ...this.#bound(sql, parameters), clickhouse_settings: jobLimits }));
    });
  }

  #bound(sql: string, parameters: QueryParameters = {}): { query: string; query_params?: Record<string, unknown> } {
    return this.mode === 'embedded' ? { query: withLiterals(sql, parameters) } : { query: sql, query_params: { ...parameters } };
  }
}

/** Opens the analytical database. Tables are made by {@link migrateClickHouse}. */
export function openClickHouse(options: ClickHouseOptions): ClickHouse {
  return new ClickHouseStore(options);
}
