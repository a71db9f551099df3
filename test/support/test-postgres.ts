import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migratePostgres, openPostgres } from '../../src/platform/postgres/index.ts';
import type { Postgres } from '../../src/platform/postgres/index.ts';
import { migrationsDirectory } from './analytics.ts';
import { copyStore } from './store-templates.ts';
import { temporaryDatabase } from './temporary-database.ts';

/** A new migrated PostgreSQL database: embedded, or on the server of `SPANWISE_TEST_DATABASE_URL`. */
export async function openTestPostgres(): Promise<{ postgres: Postgres; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-postgres-'));
  const dataDirectory = join(directory, 'postgres');
  const database = await temporaryDatabase();
  if (database === null) copyStore('postgres', dataDirectory);
  let closing = false;
  const postgres = await openPostgres({
    url: database?.url ?? null,
    dataDirectory,
    onError: (error) => {
      // While closing, idle connections report that their database was dropped.
      if (!closing) throw error;
    },
  });
  await migratePostgres(postgres, join(migrationsDirectory, 'postgres'));
  return {
    postgres,
    close: async () => {
      closing = true;
      await postgres.close();
      await database?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
