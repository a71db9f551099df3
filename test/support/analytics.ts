import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingestTables } from '../../src/features/ingest/index.ts';
import { modelTables } from '../../src/features/models/tables.ts';
import { migrateClickHouse, openClickHouse } from '../../src/platform/clickhouse/index.ts';
import type { ClickHouse } from '../../src/platform/clickhouse/index.ts';

export const migrationsDirectory = join(import.meta.dirname, '../../migrations');

/** A migrated embedded ClickHouse in a directory of its own. One a process: chDB binds one data directory. */
export async function openTestClickHouse(): Promise<{ clickhouse: ClickHouse; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-clickhouse-'));
  const temporaryDirectory = join(directory, 'tmp');
  await mkdir(temporaryDirectory);
  const clickhouse = openClickHouse({
    url: null,
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
      await rm(directory, { recursive: true, force: true });
    },
  };
}
