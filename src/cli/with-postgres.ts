import { join } from 'node:path';
import { configOfProcess } from '../config.ts';
import { openDataDirectory } from '../platform/data-directory/index.ts';
import { refuseMissing } from '../platform/installation/index.ts';
import { migratePostgres, openPostgres } from '../platform/postgres/index.ts';
import type { Postgres } from '../platform/postgres/index.ts';

const migrations = join(import.meta.dirname, '../../migrations/postgres');

/** Runs work on the relational database of the environment's settings. The embedded one must not be in use by a service. */
export async function withPostgres<T>(work: (postgres: Postgres) => Promise<T>): Promise<T> {
  const config = configOfProcess();
  const directory = config.databaseUrl === null ? await openDataDirectory(config.dataDirectory) : null;
  try {
    // Before an empty database is made in its place.
    if (directory !== null) refuseMissing(directory, config, ['clickhouse', 'log', 'secret']);
    const postgres = await openPostgres({
      url: config.databaseUrl,
      dataDirectory: directory?.postgres ?? config.dataDirectory,
      onError: (error) => console.error(`PostgreSQL: ${error.message}`),
    });
    try {
      await migratePostgres(postgres, migrations);
      return await work(postgres);
    } finally {
      await postgres.close();
    }
  } finally {
    await directory?.close();
  }
}
