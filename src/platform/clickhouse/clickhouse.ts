import type { ClickHouseClient } from '@clickhouse/client';
import { ServiceError } from '../../contract/errors.ts';
import { ConnectionPool } from './connection-pool.ts';
import { openChdb, openHttp } from './connect.ts';
import type { InsertRows, RowsInserter } from './insert-rows.ts';
import { tenantSettings } from './tenant-settings.ts';
import type { TenantScope, TenantTables } from './tenant-settings.ts';

export type QueryParameters = Readonly<Record<string, unknown>>;

/** Reads one tenant's rows. Every table named in the SQL is filtered by project and retention by the engine itself. */
export interface TenantReader {
  /**
   * Rows of a SELECT. `{name:Type}` parameters are bound by the engine. The text must not have a SETTINGS clause.
   * Errors: `ServiceError('unavailable')` when ClickHouse is away, overloaded or too slow.
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
  /** Inserts rows of RowBinary durably; the same token with the same rows is taken once. */
  insertRows(rows: InsertRows): Promise<void>;
  /** DDL, maintenance and cross-tenant jobs; never used to answer a request. */
  command(sql: string, parameters?: QueryParameters): Promise<void>;
  /** Rows of a cross-tenant read of a job; never used to answer a request. */
  systemQuery<T>(sql: string, parameters?: QueryParameters): Promise<T[]>;
  /** Resolves when the engine answers, else rejects with `ServiceError('unavailable')`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface ClickHouseOptions {
  /** null: the engine in this process. */
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

class ClickHouseStore implements ClickHouse {
  readonly mode: 'embedded' | 'http';
  readonly cluster: string | null;
  readonly #readers: ConnectionPool;
  readonly #writer: ConnectionPool;
  readonly #jobs: ConnectionPool;
  readonly #inserter: RowsInserter;
  readonly #tables: TenantTables;
  readonly #clients: readonly ClickHouseClient[];

  constructor(options: ClickHouseOptions) {
    this.mode = options.url === null ? 'embedded' : 'http';
    this.cluster = options.cluster;
    this.#tables = options.tables;
    const opened = options.url === null ? openChdb(options, options.readConnections ?? 3) : openHttp(options.url);
    this.#readers = new ConnectionPool(opened.readers, largestQueue);
    this.#writer = new ConnectionPool([opened.writer], largestQueue);
    this.#jobs = new ConnectionPool([opened.jobs], largestQueue);
    this.#inserter = opened.inserter;
    this.#clients = [...opened.readers, opened.writer, opened.jobs];
  }

  forTenant(scope: TenantScope): TenantReader {
    const settings = tenantSettings(this.#tables, scope);
    return {
      query: (sql, parameters) => this.#select(this.#readers, `${sql}\n${settings}`, parameters),
      insertSelect: (sql, parameters) => this.#run(this.#jobs, `${sql}\n${settings}`, parameters),
    };
  }

  insertRows(rows: InsertRows): Promise<void> {
    return this.#writer.use((client) => translated(this.#inserter(client, rows)));
  }

  command(sql: string, parameters?: QueryParameters): Promise<void> {
    return this.#run(this.#jobs, sql, parameters);
  }

  systemQuery<T>(sql: string, parameters?: QueryParameters): Promise<T[]> {
    return this.#select(this.#jobs, sql, parameters);
  }

  async ping(): Promise<void> {
    await this.#select(this.#readers, 'SELECT 1');
  }

  async close(): Promise<void> {
    for (const client of new Set(this.#clients)) await client.close();
  }

  #select<T>(pool: ConnectionPool, sql: string, parameters?: QueryParameters): Promise<T[]> {
    return pool.use((client) =>
      translated(
        (async () => {
          const result = await client.query({
            query: sql,
            format: 'JSONEachRow',
            clickhouse_settings: readLimits,
            ...(parameters ? { query_params: { ...parameters } } : {}),
          });
          return result.json<T>();
        })(),
      ),
    );
  }

  #run(pool: ConnectionPool, sql: string, parameters?: QueryParameters): Promise<void> {
    return pool.use(async (client) => {
      await translated(
        client.command({
          query: sql,
          clickhouse_settings: jobLimits,
          ...(parameters ? { query_params: { ...parameters } } : {}),
        }),
      );
    });
  }
}

/** Engine error codes that mean "too busy or too slow just now" rather than "this statement is wrong". */
const transientCodes = new Set(['159', '202', '209', '210', '241', '252', '394', '439', '999']);

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const code = (cause as { code?: unknown }).code;
    const network = typeof code === 'string' && /^(E[A-Z]+|UND_ERR.*)$/.test(code);
    const timedOut = cause instanceof Error && /timeout|socket hang up/i.test(cause.message);
    if (network || timedOut || (typeof code === 'string' && transientCodes.has(code))) {
      throw new ServiceError('unavailable', 'The analytical database does not answer just now; try again in a few seconds.', {
        retryAfterSeconds: 5,
        cause,
      });
    }
    throw cause;
  }
}

/** Opens the analytical database. Tables are made by {@link migrateClickHouse}. */
export function openClickHouse(options: ClickHouseOptions): ClickHouse {
  return new ClickHouseStore(options);
}
