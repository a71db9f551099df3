import { resolve } from 'node:path';
import { Command } from 'commander';
import { configOfProcess } from '../config.ts';
import { BackupError, isEmptyDirectory, readWholeBackup, restoreBackup } from '../features/backup/index.ts';
import { openClickHouse } from '../platform/clickhouse/index.ts';
import { openDataDirectory } from '../platform/data-directory/index.ts';
import type { DataDirectory } from '../platform/data-directory/index.ts';
import { openPostgres } from '../platform/postgres/index.ts';

/** `spanwise restore`: fills an empty data directory from a backup. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('Fill the empty data directory SPANWISE_DATA_DIR from a backup, after verifying every file')
    .argument('<directory>', 'what spanwise backup made')
    .action(async (given: string) => {
      const from = resolve(given);
      const { dataDirectory, databaseUrl, clickhouseUrl } = configOfProcess();
      if (!(await isEmptyDirectory(dataDirectory)))
        throw new BackupError(
          `the data directory ${dataDirectory} is not empty; move it away, or set SPANWISE_DATA_DIR to a new one`,
        );
      const manifest = await readWholeBackup(from);
      const servers = databaseUrl !== null || clickhouseUrl !== null;
      if (servers !== (manifest.stores === 'servers')) throw new BackupError(otherStores(servers));
      const directory = await openDataDirectory(dataDirectory, { restoring: true });
      try {
        await restoreBackup(from, manifest, {
          directory,
          openClickHouse: () => embeddedClickHouse(directory),
          openPostgres: () => openPostgres({ url: null, dataDirectory: directory.postgres, onError: () => undefined }),
        });
      } finally {
        // A failed restore removes what it has written.
        directory.restored();
        await directory.close();
      }
      console.log(`restored ${dataDirectory} from the backup of ${manifest.madeAt}; start the service`);
      if (manifest.secretKey === 'environment')
        console.log('Set SPANWISE_SECRET_KEY to the value that the service had at the time of the backup.');
      if (servers) console.log('Only the write-ahead log was restored: restore PostgreSQL and ClickHouse with their own tools.');
    });
}

function embeddedClickHouse(directory: DataDirectory) {
  const { clickhouse: dataDirectory, temporary: temporaryDirectory } = directory;
  return openClickHouse({ url: null, dataDirectory, temporaryDirectory, cluster: null, tables: {} });
}

function otherStores(servers: boolean): string {
  return servers
    ? 'the backup is of embedded stores; unset DATABASE_URL and CLICKHOUSE_URL to restore it'
    : 'the backup is of the write-ahead log of a service with PostgreSQL and ClickHouse servers; set DATABASE_URL and CLICKHOUSE_URL';
}
