import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { ingestTables } from './features/ingest/index.ts';
import { modelTables } from './features/models/index.ts';
import { awaitClickHouse, migrateClickHouse, openClickHouse } from './platform/clickhouse/index.ts';
import type { ClickHouse } from './platform/clickhouse/index.ts';
import { openEarlyStores } from './early-stores.ts';
import type { EarlyStores } from './early-stores.ts';
import type { DataDirectory } from './platform/data-directory/index.ts';
import { migratePostgres } from './platform/postgres/index.ts';
import type { Postgres } from './platform/postgres/index.ts';
import { openRedisBuckets, PostgresBuckets } from './platform/rate-limit/index.ts';
import type { BucketStore } from './platform/rate-limit/index.ts';
import type { OpenedWal } from './platform/wal/index.ts';

/** Everything the service keeps data in, opened and migrated. */
export interface Stores {
  directory: DataDirectory;
  postgres: Postgres;
  clickhouse: ClickHouse;
  wal: OpenedWal;
  /** Where replicas share the rate limit; null: this process has no others. */
  buckets: BucketStore | null;
  close(): Promise<void>;
}

/** How long a start waits for a ClickHouse server that does not answer yet. */
const clickhouseWaitMs = 30_000;
const migrations = join(import.meta.dirname, '../migrations');

interface StoresOptions {
  /** How long to wait for a ClickHouse server that does not answer. */
  waitMs?: number;
  /** What has been begun to open; by default it is begun now. */
  early?: EarlyStores | undefined;
}

/** Opens the stores that the settings name. What was opened is closed again when a later one fails. */
export async function openStores(
  config: Config,
  log: Logger,
  { waitMs = clickhouseWaitMs, early }: StoresOptions = {},
): Promise<Stores> {
  const opened: Array<{ close(): Promise<void> }> = [];
  const closeAll = async () => {
    for (const store of opened.splice(0).toReversed()) await store.close();
  };
  try {
    const { directory, postgres: postgresOpening, wal: walOpening } = early ?? (await openEarlyStores(config, log));
    opened.push(directory, closerOf(postgresOpening), closerOf(walOpening));
    // The embedded ClickHouse opens in this thread while PostgreSQL opens in its own.
    const clickhouse = openClickHouse({
      url: config.clickhouseUrl,
      dataDirectory: directory.clickhouse,
      temporaryDirectory: directory.temporary,
      cluster: config.clickhouseCluster,
      tables: { ...ingestTables, ...modelTables },
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

/** Closes what is being opened, if it opens. */
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
