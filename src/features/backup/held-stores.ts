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
  /** Runs work while nothing is written to ClickHouse, and no job is between the stores; requests are accepted meanwhile. */
  whileStill<T>(work: () => Promise<T>): Promise<T>;
}

/** Of ClickHouse's own making: `shadow/<name>`. One backup at a time. */
const frozenName = 'spanwise_backup';

/**
 * Holds the stores still for a moment, in which they agree with each other, and lets go when `held` has resolved.
 *
 * The order is what makes a restored whole right. Nothing is written to ClickHouse from the beginning on, so that it is frozen as it is at the
 * end. Then PostgreSQL is held: from here nothing can be said to be done. What was accepted and is not yet in ClickHouse is in the log,
 * which is taken last; what the log holds and ClickHouse too is replaced by its version when it is written again.
 *
 * @param held given what to copy; PostgreSQL's files do not change until it resolves
 */
export async function holdStores(stores: BackupStores, held: (state: HeldBackup) => Promise<void>): Promise<void> {
  const { postgres, clickhouse } = stores;
  if (clickhouse.mode === 'http') {
    await held({ told: 'held', postgresRows: {}, clickhouse: [], versions: {}, wal: await snapshotOf(stores) });
    return;
  }
  // What is written now need not be written while everybody waits.
  await sql`CHECKPOINT`.execute(postgres.unlimited);
  await stores.whileStill(async () => {
    const frozen = await freeze(stores);
    const [engine] = await clickhouse.systemQuery<{ version: string }>('SELECT version() AS version');
    // The embedded PostgreSQL has one connection: while it is taken, nobody else can write.
    await postgres.unlimited.connection().execute(async (connection) => {
      await sql`CHECKPOINT`.execute(connection);
      const postgresRows = await countRows(connection);
      const { rows } = await sql<{ version: string }>`SELECT version() AS version`.execute(connection);
      const versions = { postgresql: rows[0]?.version ?? '', clickhouse: engine?.version ?? '' };
      await held({ told: 'held', postgresRows, clickhouse: frozen, versions, wal: await snapshotOf(stores) });
    });
  });
}

/** Removes what a hold has left for copying, also one of a process that was killed. */
export async function forgetHeld({ directory }: BackupStores): Promise<void> {
  await rm(logSnapshot(directory.wal), { recursive: true, force: true });
  await rm(join(directory.clickhouse, 'shadow', frozenName), { recursive: true, force: true });
}

/** Beside the segments, since links do not leave a file system. */
function logSnapshot(wal: string): string {
  return join(wal, 'backup');
}

async function snapshotOf({ wal, directory }: BackupStores): Promise<string> {
  const path = logSnapshot(directory.wal);
  await wal.snapshot(path);
  return path;
}

/** Hard links to the parts of every table, which ClickHouse makes in no time and never changes. */
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
