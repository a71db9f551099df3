import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commentTables } from '../../src/features/comments/index.ts';
import { traceTables } from '../../src/features/trace-store/index.ts';
import { figureTables } from '../../src/features/figures/tables.ts';
import { migrateClickHouse, openClickHouse } from '../../src/platform/clickhouse/index.ts';
import type { ClickHouse } from '../../src/platform/clickhouse/index.ts';
import { copyStore } from './store-templates.ts';
import { temporaryClickHouse } from './temporary-clickhouse.ts';

export const migrationsDirectory = join(import.meta.dirname, '../../migrations');

/**
 * A migrated ClickHouse: a new database on the server of `SPANWISE_TEST_CLICKHOUSE_URL` when that is set, else the embedded one on a new
 * directory. A process has one embedded ClickHouse at a time.
 */
export async function openTestClickHouse(): Promise<{ clickhouse: ClickHouse; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-clickhouse-'));
  const temporaryDirectory = join(directory, 'tmp');
  await mkdir(temporaryDirectory);
  const database = await temporaryClickHouse();
  const dataDirectory = join(directory, 'clickhouse');
  if (database === null) copyStore('clickhouse', dataDirectory);
  const clickhouse = openClickHouse({
    url: database?.url ?? null,
    dataDirectory,
    temporaryDirectory,
    cluster: null,
    tables: { ...traceTables, ...figureTables, ...commentTables },
  });
  await migrateClickHouse(clickhouse, join(migrationsDirectory, 'clickhouse'));
  return {
    clickhouse,
    close: async () => {
      await clickhouse.close();
      await database?.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
