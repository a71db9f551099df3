import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { ingestTables } from './features/ingest/index.ts';
import { modelTables } from './features/models/index.ts';
import { awaitClickHouse, migrateClickHouse, openClickHouse } from './platform/clickhouse/index.ts';
import type { ClickHouse } from './platform/clickhouse/index.ts';
import { openDataDirectory } from './platform/data-directory/index.ts';
import type { DataDirectory } from './platform/data-directory/index.ts';
import { migratePostgres, openPostgres } from './platform/postgres/index.ts';
import type { Postgres } from './platform/postgres/index.ts';
import { openWal } from './platform/wal/index.ts';
import type { OpenedWal } from './platform/wal/index.ts';

/** Everything the service keeps data in, opened and migrated. */
export interface Stores {
  directory: DataDirectory;
  postgres: Postgres;
  clickhouse: ClickHouse;
  wal: OpenedWal;
  close(): Promise<void>;
}

/** How long a start waits for a ClickHouse server that does not answer yet. */
const clickhouseWaitMs = 30_000;
const migrations = join(import.meta.dirname, '../migrations');

/**
 * Opens the stores that the settings name. What was opened is closed again when a later one fails.
 *
 * @param options.waitMs how long to wait for a ClickHouse server that does not answer
 */
export async function openStores(config: Config, log: Logger, { waitMs = clickhouseWaitMs } = {}): Promise<Stores> {
  const opened: Array<{ close(): Promise<void> }> = [];
  const closeAll = async () => {
    for (const store of opened.splice(0).toReversed()) await store.close();
  };
  try {
    const directory = await openDataDirectory(config.dataDirectory);
    opened.push(directory);
    const postgresOpening = openPostgres({
      url: config.databaseUrl,
      dataDirectory: directory.postgres,
      onError: (error) => log.error({ err: error }, 'a connection to PostgreSQL broke'),
    });
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
    opened.push(postgres);
    await migratePostgres(postgres, join(migrations, 'postgres'));
    if (config.clickhouseUrl !== null) {
      await awaitClickHouse(clickhouse, { url: config.clickhouseUrl, waitMs, onWaiting: (message) => log.warn(message) });
    }
    await postgres.withLock('spanwise-clickhouse-migrations', () =>
      migrateClickHouse(clickhouse, join(migrations, 'clickhouse')),
    );
    const wal = await openWal({
      directory: directory.wal,
      backlogLimitBytes: config.walLimitBytes,
      failpoint: config.failpoint,
      onQuarantine: (file, bytes) => log.error({ file, bytes }, 'damaged bytes of the write-ahead log were put aside'),
    });
    opened.push(wal);
    return { directory, postgres, clickhouse, wal, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
