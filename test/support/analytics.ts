import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingestTables } from '../../src/features/ingest/index.ts';
import { modelTables } from '../../src/features/models/tables.ts';
import { migrateClickHouse, openClickHouse } from '../../src/platform/clickhouse/index.ts';
import type { ClickHouse } from '../../src/platform/clickhouse/index.ts';
import { temporaryClickHouse } from './temporary-clickhouse.ts';

export const migrationsDirectory = join(import.meta.dirname, '../../migrations');

/**
 * A migrated ClickHouse: a database of its own on the server of `SPANWISE_TEST_CLICKHOUSE_URL` when that is set, else the embedded one in
 * a directory of its own (one a process: chDB binds one data directory).
 */
export async function openTestClickHouse(): Promise<{ clickhouse: ClickHouse; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-clickhouse-'));
  const temporaryDirectory = join(directory, 'tmp');
  await mkdir(temporaryDirectory);
  const database = await temporaryClickHouse();
  const clickhouse = openClickHouse({
    url: database?.url ?? null,
    dataDirectory: join(directory, 'clickhouse'),
    temporaryDirectory,
    cluster: null,
    tables: { ...ingestTables, ...modelTables },
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
