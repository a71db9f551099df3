import { channel } from 'node:diagnostics_channel';
import type { ClickHouseClient, ResultSet } from '@clickhouse/client';
import { turnLimits, turnsOf } from '../budgets/index.ts';
import { requestSignal } from '../request-scope/index.ts';
import { ConnectionPool } from './connection-pool.ts';
import { openChdb, openHttp } from './connect.ts';
import { EndReads } from './end-reads.ts';
import type { InsertRows, RowsInserter } from './insert-rows.ts';
import type { Liveness } from './liveness.ts';
import { tenantSettings } from './tenant-settings.ts';
import { TenantSql } from './tenant-sql.ts';
import type { TenantScope, TenantTables } from './tenant-settings.ts';
import type { QueryParameters } from './query-parameters.ts';
import { translated } from './unavailable.ts';
import type { InsertVerifier } from './verify-insert.ts';
import { withLiterals } from './with-literals.ts';

/**
 * Reads one tenant's rows. The engine itself filters every declared table by project and retention; SQL that could read anything else is refused with a
 * `TenantSqlError` (`tenant-sql.ts`). Projects take turns. A read for a request ends with it, when its client has gone.
 */
export interface TenantReader {
  /**
   * Rows of a SELECT. `{name:Type}` parameters are bound by the engine.
   * Errors: `ServiceError('unavailable')` when ClickHouse is unreachable, overloaded or too slow; after at most one minute, queueing included.
   */
  query<T>(sql: string, parameters?: QueryParameters): Promise<T[]>;
  /** As {@link query}, but returns unparsed JSON lines, for a thread that parses them. */
  queryLines(sql: string, parameters?: QueryParameters): Promise<string>;
  /** `INSERT INTO ... SELECT ...` whose SELECT reads as this tenant; on the connection for jobs. */
  insertSelect(sql: string, parameters?: QueryParameters): Promise<void>;
}

/** The analytical database: ClickHouse in this process (chDB) or over HTTP. */
export interface ClickHouse {
  readonly mode: 'embedded' | 'http';
  readonly cluster: string | null;
  forTenant(scope: TenantScope): TenantReader;
  /** Inserts RowBinary rows durably. May be repeated: rows are replaced by version; a cluster also deduplicates by token. */
  insertRows(rows: InsertRows): Promise<void>;
  /** DDL, maintenance and cross-tenant jobs; never used to answer a request. */
  command(sql: string, parameters?: QueryParameters): Promise<void>;
  /** Rows of a cross-tenant read of a job; never used to answer a request. */
  systemQuery<T>(sql: string, parameters?: QueryParameters): Promise<T[]>;
  /** Resolves when the engine answers, else rejects with `ServiceError('unavailable')`, or with a `TypeError` when something else answers. */
  ping(): Promise<void>;
  /**
   * Over HTTP, aborts running statements and refuses further ones (`unavailable`), so that a server that does not answer cannot delay shutdown. No effect on the embedded
   * engine.
   */
  abandon(): Promise<void>;
  close(): Promise<void>;
  /** Reads that run and that wait now. */
  readonly reads: { running: number; waiting: number };
}

export interface ClickHouseOptions {
  /** null: the engine in this process. Else `http://user:password@host:8123/database`; without a database the server's `default`. */
  url: string | null;
  /** Where the embedded engine keeps its data. */
  dataDirectory: string;
  /** For files that pass rows to the embedded engine. */
  temporaryDirectory: string;
  /** Name of the ClickHouse cluster for replicated, distributed tables; null on a single node. */
  cluster: string | null;
  tables: TenantTables;
}

/** Maximum time (seconds) and memory (bytes) of one read. */
const readLimits = { max_execution_time: 25, max_memory_usage: String(2_000_000_000) };
/** The same for jobs. Set with each statement: an embedded connection keeps the settings of the previous statement. */
const jobLimits = { max_execution_time: 600, max_memory_usage: String(4_000_000_000) };

/** A read of the embedded engine, as it is published to {@link observedReads}. */
export interface ObservedRead {
  sql: string;
  parameters: QueryParameters;
  /** Reads again on the same connection, with the parameters as literals in the text or bound by the engine; resolves with JSON lines. */
  again(as: 'literals' | 'bound'): Promise<string>;
  /** What the read waits for before it resolves; rejects with what is added here. */
  alongside: Array<Promise<void>>;
}

/** Every read of the embedded engine, for tests (test/support/both-ways.ts). */
export const observedReads = channel('spanwise:clickhouse:reads');

/** Whose turn a read takes, and what ends it. */
interface ReadFor {
  key?: string;
  signal?: AbortSignal | undefined;
}

/** Converts the rows of a query. */
type Take<T> = (result: ResultSet<'JSONEachRow'>) => Promise<T>;

class ClickHouseStore implements ClickHouse {
  readonly mode: 'embedded' | 'http';
  readonly cluster: string | null;
  readonly #readers: ConnectionPool;
  readonly #writer: ConnectionPool;
  readonly #jobs: ConnectionPool;
  readonly #inserter: RowsInserter;
  readonly #verifier: InsertVerifier | null;
  readonly #liveness: Liveness | null;
  readonly #ends: EndReads;
  readonly #tables: TenantTables;
  readonly #tenantSql: TenantSql;
  readonly #clients: ReadonlySet<ClickHouseClient>;

  constructor(options: ClickHouseOptions) {
    this.mode = options.url === null ? 'embedded' : 'http';
    this.cluster = options.cluster;
    this.#tables = options.tables;
    this.#tenantSql = new TenantSql(Object.keys(options.tables));
    const reads = options.url === null ? 'reads' : 'serverReads';
    const { running } = turnLimits[reads];
    const opened = options.url === null ? openChdb(options, running) : openHttp(options.url, options.cluster, running);
    this.#readers = new ConnectionPool(opened.readers, turnsOf(reads));
    this.#writer = new ConnectionPool([opened.writer], turnsOf('statements'));
    this.#jobs = new ConnectionPool([opened.jobs], turnsOf('statements'));
    this.#ends = new EndReads(opened.connectToEnd);
    this.#inserter = opened.inserter;
    this.#verifier = opened.verifier;
    this.#liveness = opened.liveness;
    this.#clients = opened.clients;
  }

  get reads(): { running: number; waiting: number } {
    return this.#readers.load;
  }

  forTenant(scope: TenantScope): TenantReader {
    const settings = tenantSettings(this.#tables, scope);
    // What reads beyond the retention is a job's, or a step of a change that goes on without its request.
    const of: ReadFor = scope.oldestMs === null ? {} : { key: scope.projectId, signal: requestSignal() };
    return {
      query: async <T>(sql: string, parameters?: QueryParameters) => {
        this.#tenantSql.checkSelect(sql);
        return this.#read(of, (result) => result.json<T>(), `${sql}\n${settings}`, parameters);
      },
      queryLines: async (sql, parameters) => {
        this.#tenantSql.checkSelect(sql);
        return this.#read(of, (result) => result.text(), `${sql}\n${settings}`, parameters);
      },
      insertSelect: async (sql, parameters) => {
        const table = this.#tenantSql.checkInsertSelect(sql);
        await this.#jobs.use((client) => this.#insertSelect(client, table, `${sql}\n${settings}`, parameters));
      },
    };
  }

  insertRows(rows: InsertRows): Promise<void> {
    return this.#writer.use((client) => translated(this.mode, this.#inserter(client, rows)));
  }

  command(sql: string, parameters?: QueryParameters): Promise<void> {
    return this.#run(this.#jobs, sql, parameters);
  }

  systemQuery<T>(sql: string, parameters?: QueryParameters): Promise<T[]> {
    return this.#jobs.use((client) => this.#select(client, (result) => result.json<T>(), sql, parameters, { limits: jobLimits }));
  }

  async ping(): Promise<void> {
    const answer = await this.#read({}, (result) => result.text(), 'SELECT 1');
    // Another web server may answer anything with 200.
    if (answer.trim() !== '{"1":1}') throw new TypeError('what answers there is no ClickHouse');
  }

  async abandon(): Promise<void> {
    if (this.mode === 'embedded') return;
    for (const pool of [this.#readers, this.#writer, this.#jobs]) pool.close();
    await this.close();
  }

  async close(): Promise<void> {
    await this.#ends.close();
    for (const client of this.#clients) await client.close();
  }

  #read<T>(of: ReadFor, take: Take<T>, sql: string, parameters?: QueryParameters): Promise<T> {
    const liveness = this.#liveness;
    return this.#readers.use(
      (client) =>
        this.#ends.during(of.signal, sql, (marked) =>
          liveness === null
            ? this.#select(client, take, marked, parameters)
            : liveness.watch((signal) => this.#select(client, take, marked, parameters, { signal })),
        ),
      of,
    );
  }

  #select<T>(
    client: ClickHouseClient,
    take: Take<T>,
    sql: string,
    parameters?: QueryParameters,
    { limits = readLimits, signal }: { limits?: typeof readLimits; signal?: AbortSignal } = {},
  ): Promise<T> {
    const query = (bound: { query: string; query_params?: Record<string, unknown> }) =>
      client.query({
        ...bound,
        format: 'JSONEachRow',
        clickhouse_settings: limits,
        ...(signal ? { abort_signal: signal } : {}),
      });
    const rows = async () => {
      const taken = await take(await query(this.#bound(sql, parameters)));
      if (this.mode === 'embedded' && observedReads.hasSubscribers) {
        await observed(sql, parameters, async (as) =>
          (await query(as === 'bound' ? boundByEngine(sql, parameters) : this.#bound(sql, parameters))).text(),
        );
      }
      return taken;
    };
    return translated(this.mode, rows());
  }

  #run(pool: ConnectionPool, sql: string, parameters?: QueryParameters): Promise<void> {
    return pool.use(async (client) => {
      await translated(this.mode, client.command({ ...this.#bound(sql, parameters), clickhouse_settings: jobLimits }));
    });
  }

  #insertSelect(client: ClickHouseClient, table: string, sql: string, parameters?: QueryParameters): Promise<void> {
    const insert = async () => {
      await client.command({ ...this.#bound(sql, parameters), clickhouse_settings: jobLimits });
    };
    return translated(this.mode, this.#verifier ? this.#verifier.run(client, table, insert, true) : insert());
  }

  #bound(sql: string, parameters: QueryParameters = {}): { query: string; query_params?: Record<string, unknown> } {
    return this.mode === 'embedded' ? { query: withLiterals(sql, parameters) } : boundByEngine(sql, parameters);
  }
}

function boundByEngine(sql: string, parameters: QueryParameters = {}): { query: string; query_params: Record<string, unknown> } {
  return { query: sql, query_params: { ...parameters } };
}

async function observed(sql: string, parameters: QueryParameters = {}, again: ObservedRead['again']): Promise<void> {
  const read: ObservedRead = { sql, parameters, again, alongside: [] };
  observedReads.publish(read);
  await Promise.all(read.alongside);
}

/** Opens the analytical database. Tables are made by {@link migrateClickHouse}. */
export function openClickHouse(options: ClickHouseOptions): ClickHouse {
  return new ClickHouseStore(options);
}
