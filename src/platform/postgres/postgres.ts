import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { ServiceError } from '../../contract/errors.ts';
import { BoundedPool } from './bounded-pool.ts';
import { columnTypes } from './column-types.ts';
import { DatabaseError } from './database-error.ts';
import { EmbeddedServer } from './embedded-server.ts';
import { Listener } from './listener.ts';
import { Maintenance } from './maintenance.ts';
import { advisoryLock, mutexLock } from './named-locks.ts';
import type { NamedLock } from './named-locks.ts';
import type { Database, Tables } from './tables.ts';
import { singleProcess, ChangeFeed } from './change-feed.ts';
import type { Receiver } from './change-feed.ts';

export interface Postgres {
  readonly mode: 'embedded' | 'server';
  /** Statements time out after 30 s. Embedded, a transaction holds the only connection: within it, use the transaction only. */
  readonly db: Database;
  /** The same database without a statement timeout, for migrations and maintenance. */
  readonly unlimited: Database;
  /** Transactional messages to all processes that use this database. */
  readonly changeFeed: ChangeFeed;
  /** Resolves when the database answers, else rejects with `ServiceError('unavailable')` within seconds. */
  ping(): Promise<void>;
  /**
   * Runs `work` under a lock of this name, exclusive across processes. Waits for the lock at most five minutes, then rejects with
   * `ServiceError('unavailable')`.
   */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** As {@link withLock}, but resolves with null at once when the lock is held. */
  tryLock<T>(name: string, work: () => Promise<T>): Promise<T | null>;
  /** Resolves when running statements have ended, or after some seconds. The embedded database is then shut down. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** URL of the server; null runs the embedded PostgreSQL in a thread of this process. */
  url: string | null;
  /** Data directory of the embedded database. */
  dataDirectory: string;
  /** Called when an idle connection breaks and when the embedded database restarts. */
  onError(error: Error): void;
  /** Timeouts in milliseconds, for tests. */
  timeouts?: Partial<Timeouts>;
}

interface Timeouts {
  /** Timeout for a connection, new or from the pool. */
  connection: number;
  statement: number;
  lock: number;
  ping: number;
}

const defaultTimeouts: Timeouts = { connection: 10_000, statement: 30_000, lock: 300_000, ping: 5_000 };
/** Added to the server's statement timeout in this process; when it passes, the server has vanished. */
const vanishedMs = 5_000;
const oldestVersion = 150_000;

/**
 * Opens the relational database. `migratePostgres` creates its tables.
 *
 * Errors: {@link DatabaseError} when it does not answer, refuses the connection, or is older than PostgreSQL 15.
 */
export async function openPostgres(options: PostgresOptions): Promise<Postgres> {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  return options.url === null ? openEmbedded(options, timeouts) : openServer(options.url, options, timeouts);
}

async function openServer(url: string, { onError }: PostgresOptions, timeouts: Timeouts): Promise<Postgres> {
  const location = new URL(url);
  // Override the URL's options: values are read and written with these settings.
  const own = '-c timezone=UTC -c datestyle=ISO';
  const sessionOptions = [location.searchParams.get('options'), own].filter(Boolean).join(' ');
  location.searchParams.delete('options');
  const settings: pg.PoolConfig = {
    connectionString: location.href,
    options: sessionOptions,
    application_name: 'spanwise',
    connectionTimeoutMillis: timeouts.connection,
    keepAlive: true,
    types: columnTypes,
  };
  const pool = new pg.Pool({
    ...settings,
    max: 10,
    statement_timeout: timeouts.statement,
    idle_in_transaction_session_timeout: 2 * timeouts.statement,
  });
  const locks = new pg.Pool({ ...settings, max: 20 });
  pool.on('error', onError);
  locks.on('error', onError);
  const bounded = new BoundedPool(pool, timeouts.statement + vanishedMs);
  await checkServer(bounded, location).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  return assemble({
    mode: 'server',
    pool,
    bounded,
    lock: advisoryLock(locks, { waitMs: timeouts.lock, onError }),
    receiver: new Listener({ settings: { ...settings, statement_timeout: timeouts.statement }, pool, onError }),
    pingMs: timeouts.ping,
    close: () => new BoundedPool(locks, null).end(),
  });
}

async function openEmbedded({ dataDirectory, onError }: PostgresOptions, timeouts: Timeouts): Promise<Postgres> {
  const server = await EmbeddedServer.open(dataDirectory, onError).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown reason';
    throw new DatabaseError(`the embedded PostgreSQL cannot open its data directory: ${reason}`, error);
  });
  const pool = new pg.Pool({
    stream: () => server.stream() as never,
    // Explicit, because `pg` defaults to PGUSER, PGSSLMODE, PGOPTIONS and the like, which are meant for servers.
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
    options: '-c timezone=UTC',
    client_encoding: 'UTF8',
    // The embedded database serves one connection, so a statement may wait for a slow one.
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: timeouts.connection + timeouts.statement,
    types: columnTypes,
  });
  pool.on('error', onError);
  const maintenance = new Maintenance(onError);
  const postgres = assemble({
    mode: 'embedded',
    pool,
    bounded: new BoundedPool(pool, timeouts.statement),
    lock: mutexLock(),
    receiver: singleProcess,
    pingMs: timeouts.ping,
    close: () => server.close(),
    beforeClose: () => maintenance.stop(),
  });
  maintenance.start(postgres.unlimited);
  return postgres;
}

interface Parts {
  mode: 'embedded' | 'server';
  pool: pg.Pool;
  bounded: BoundedPool;
  lock: NamedLock;
  receiver: Receiver;
  pingMs: number;
  beforeClose?: () => Promise<void>;
  close: () => Promise<void>;
}

function assemble({ mode, pool, bounded, lock, receiver, pingMs, beforeClose, close }: Parts): Postgres {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: bounded }) });
  const pinging = new BoundedPool(pool, pingMs);
  const changeFeed = new ChangeFeed(db, receiver, mode === 'server');
  let closing: Promise<void> | null = null;
  return {
    mode,
    db,
    changeFeed,
    unlimited: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new BoundedPool(pool, null) }) }),
    ping: async () => {
      const client = await pinging.connect();
      try {
        await client.query('SELECT 1', []);
      } finally {
        client.release();
      }
    },
    // With `wait` the work always runs, so null can only be its result.
    withLock: async (name, work) => (await lock(name, true, work)) as Awaited<ReturnType<typeof work>>,
    tryLock: (name, work) => lock(name, false, work),
    close: () =>
      (closing ??= (async () => {
        await changeFeed.close();
        await beforeClose?.();
        await bounded.end();
        await close();
      })()),
  };
}

/** @param location host and port for the message, never the password */
async function checkServer(pool: BoundedPool, location: URL): Promise<void> {
  const where = location.host === '' ? 'the local socket' : location.host;
  try {
    const client = await pool.connect().catch((error: unknown) => {
      // While the program loads, this thread may be busy for longer than the timeout although the server has answered.
      if (!/timeout/.test(String(causeOf(error).message))) throw error;
      return pool.connect();
    });
    try {
      const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num', []);
      const version = Number(rows[0]?.server_version_num);
      if (version < oldestVersion) {
        throw new DatabaseError(
          `DATABASE_URL: PostgreSQL at ${where} is version ${Math.floor(version / 10_000)}; 15 or later is needed`,
        );
      }
    } finally {
      client.release();
    }
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const { code, message } = causeOf(error);
    const reason = typeof code === 'string' && code.startsWith('E') ? code : String(message);
    throw new DatabaseError(
      `DATABASE_URL: PostgreSQL at ${where} cannot be used (${reason}); start it, or correct the address, user, password or database`,
      error,
    );
  }
}

function causeOf(error: unknown): { code?: unknown; message?: unknown } {
  return (error instanceof ServiceError ? error.cause : error) as { code?: unknown; message?: unknown };
}
