import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sql } from 'kysely';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import type { OpenedWal } from '../../platform/wal/index.ts';
import type { FrozenTable, HeldBackup } from './control-protocol.ts';
import { countRows } from './count-rows.ts';

export interface BackupStores {
  postgres: Postgres;
  clickhouse: ClickHouse;
  wal: OpenedWal;
  directory: { wal: string; clickhouse: string };
  /** Runs work while no batch is written to ClickHouse and no job changes both stores; requests are accepted meanwhile. */
  whileStill<T>(work: () => Promise<T>): Promise<T>;
}

/** ClickHouse freezes into `shadow/<name>`. One backup at a time. */
const frozenName = 'spanwise_backup';

/**
 * Holds the stores in a consistent state until `held` has resolved.
 *
 * The order makes the copy consistent. Writes to ClickHouse stop first, so that its frozen state is the final one. Then PostgreSQL is held: from
 * then on no commit succeeds. The log is copied last: it holds all accepted events that are not yet in ClickHouse. Events in both are replaced by
 * version when the log is replayed.
 *
 * @param held receives what to copy; PostgreSQL's files do not change until it resolves
 */
export async function holdStores(stores: BackupStores, held: (state: HeldBackup) => Promise<void>): Promise<void> {
  const { postgres, clickhouse } = stores;
  if (clickhouse.mode === 'http') {
    await held({ told: 'held', postgresRows: {}, clickhouse: [], versions: {}, wal: await snapshotOf(stores) });
    return;
  }
  // Shortens the checkpoint below, during which writes wait.
  await sql`CHECKPOINT`.execute(postgres.unlimited);
  await stores.whileStill(async () => {
    const frozen = await freeze(stores);
    const [engine] = await clickhouse.systemQuery<{ version: string }>('SELECT version() AS version');
    // The embedded PostgreSQL has one connection: holding it blocks all writes.
    await postgres.unlimited.connection().execute(async (connection) => {
      await sql`CHECKPOINT`.execute(connection);
      const postgresRows = await countRows(connection);
      const { rows } = await sql<{ version: string }>`SELECT version() AS version`.execute(connection);
      const versions = { postgresql: rows[0]?.version ?? '', clickhouse: engine?.version ?? '' };
      await held({ told: 'held', postgresRows, clickhouse: frozen, versions, wal: await snapshotOf(stores) });
    });
  });
}

/** Removes the links of an ended hold, also of a process that was killed. */
export async function forgetHeld({ directory }: BackupStores): Promise<void> {
  await rm(logSnapshot(directory.wal), { recursive: true, force: true });
  await rm(join(directory.clickhouse, 'shadow', frozenName), { recursive: true, force: true });
}

/** In the log's directory, since hard links need one file system. */
function logSnapshot(wal: string): string {
  return join(wal, 'backup');
}

async function snapshotOf({ wal, directory }: BackupStores): Promise<string> {
  const path = logSnapshot(directory.wal);
  await wal.snapshot(path);
  return path;
}

/** Makes hard links to the parts of every table. Fast; ClickHouse never changes a part. */
async function freeze({ clickhouse, directory }: BackupStores): Promise<FrozenTable[]> {
  const tables = await clickhouse.systemQuery<{ name: string; create: string; paths: string[] }>(
    `SELECT name, create_table_query AS create, data_paths AS paths FROM system.tables
     WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`,
  );
  const frozen: FrozenTable[] = [];
  for (const { name, create, paths } of tables) {
    await clickhouse.command(`ALTER TABLE ${name} FREEZE WITH NAME '${frozenName}'`);
    const place = relative(directory.clickhouse, paths[0] ?? '');
    frozen.push({ name, create, parts: join(directory.clickhouse, 'shadow', frozenName, place) });
  }
  return frozen;
}
