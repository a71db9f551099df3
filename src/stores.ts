import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { commentTables } from './features/comments/index.ts';
import { figureTables } from './features/figures/index.ts';
import { traceTables } from './features/trace-store/index.ts';
import { awaitClickHouse, migrateClickHouse, openClickHouse } from './platform/clickhouse/index.ts';
import { preopenStores } from './preopen.ts';
import type { PreopenedStores } from './preopen.ts';
import type { Stores } from './platform/feature/index.ts';
import type { StoreName } from './platform/installation/index.ts';
import { migratePostgres } from './platform/postgres/index.ts';
import type { Postgres } from './platform/postgres/index.ts';
import { openRedisBuckets, PostgresBuckets } from './platform/rate-limit/index.ts';
import type { BucketStore } from './platform/rate-limit/index.ts';

/** The stores, until they are closed. */
export interface OpenedStores extends Stores {
  close(): Promise<void>;
}

/** How long a start waits for a ClickHouse server that does not answer yet. */
const clickhouseWaitMs = 30_000;
const migrations = join(import.meta.dirname, '../migrations');

interface StoresOptions {
  /** How long to wait for a ClickHouse server that does not answer. */
  waitMs?: number;
  /** Stores that are being opened; by default they are opened now. */
  preopened?: PreopenedStores | undefined;
  /** See {@link preopenStores}. */
  acceptMissing?: readonly StoreName[] | undefined;
}

/** Opens and migrates the stores that the settings name. When one fails, those opened before it are closed. */
export async function openStores(
  config: Config,
  log: Logger,
  { waitMs = clickhouseWaitMs, preopened, acceptMissing }: StoresOptions = {},
): Promise<OpenedStores> {
  const opened: Array<{ close(): Promise<void> }> = [];
  const closeAll = async () => {
    for (const store of opened.splice(0).toReversed()) await store.close();
  };
  try {
    const {
      directory,
      postgres: postgresOpening,
      wal: walOpening,
    } = preopened ?? (await preopenStores(config, log, acceptMissing));
    opened.push(directory, closerOf(postgresOpening), closerOf(walOpening));
    for (const message of unusedStores(config, directory)) log.warn(message);
    // The embedded ClickHouse opens in this thread while PostgreSQL opens in its own.
    const clickhouse = openClickHouse({
      url: config.clickhouseUrl,
      dataDirectory: directory.clickhouse,
      temporaryDirectory: directory.temporary,
      cluster: config.clickhouseCluster,
      tables: { ...traceTables, ...figureTables, ...commentTables },
    });
    opened.push(clickhouse);
    const postgres = await postgresOpening;
    await migratePostgres(postgres, join(migrations, 'postgres'));
    if (config.clickhouseUrl !== null) {
      await awaitClickHouse(clickhouse, { url: config.clickhouseUrl, waitMs, onWaiting: (message) => log.warn(message) });
    }
    await postgres.withLock('spanwise-clickhouse-migrations', () =>
      migrateClickHouse(clickhouse, join(migrations, 'clickhouse')),
    );
    const wal = await walOpening;
    const buckets = await openBuckets(config, postgres, log);
    if (buckets) opened.push(buckets);
    return { directory, postgres, clickhouse, wal, buckets, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Closes a store that is still being opened; does nothing when opening fails. */
function closerOf(opening: Promise<{ close(): Promise<void> }>): { close(): Promise<void> } {
  return {
    close: async () => {
      const store = await opening.catch(() => null);
      await store?.close();
    },
  };
}

async function openBuckets({ redisUrl }: Config, postgres: Postgres, log: Logger): Promise<BucketStore | null> {
  if (redisUrl !== null)
    return openRedisBuckets(redisUrl, (error) => log.warn({ err: error }, 'Redis (REDIS_URL) does not answer'));
  return postgres.mode === 'server' ? new PostgresBuckets(postgres.db) : null;
}

/**
 * What to say at a start on servers about embedded stores in the data directory, whose data the servers do not have (docs/guides/servers.md, "On
 * PostgreSQL and ClickHouse").
 *
 * @param directory where the embedded stores are, if there are any
 */
export function unusedStores(
  config: Pick<Config, 'databaseUrl' | 'clickhouseUrl'>,
  directory: { postgres: string; clickhouse: string },
): string[] {
  const stores = [
    { name: 'PostgreSQL', setting: 'DATABASE_URL', url: config.databaseUrl, path: directory.postgres },
    { name: 'ClickHouse', setting: 'CLICKHOUSE_URL', url: config.clickhouseUrl, path: directory.clickhouse },
  ];
  return stores
    .filter(({ url, path }) => url !== null && existsSync(path))
    .map(
      ({ name, setting }) =>
        `the data directory holds an embedded ${name}, which is not used since ${setting} is set; its data are not moved to the server`,
    );
}
