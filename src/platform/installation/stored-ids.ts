import { sql } from 'kysely';
import type { ClickHouse } from '../clickhouse/index.ts';
import type { Database } from '../postgres/index.ts';

/** What PostgreSQL knows of its installation. */
export interface PostgresId {
  id: string;
  /** Whether every other store has the id too: before, a first start was interrupted. */
  isComplete: boolean;
}

/** The installation that a PostgreSQL belongs to; null where none has taken it yet. */
export async function readPostgresId(db: Database): Promise<PostgresId | null> {
  const { rows } = await sql<{ name: string; value: string }>`SELECT name, value FROM installation
    WHERE name IN ('id', 'id_complete')`.execute(db);
  const id = rows.find(({ name }) => name === 'id')?.value;
  return id === undefined ? null : { id, isComplete: rows.some(({ name, value }) => name === 'id_complete' && value === id) };
}

/** Makes a PostgreSQL that of an installation. */
export async function writePostgresId(db: Database, { id, isComplete }: PostgresId): Promise<void> {
  await sql`INSERT INTO installation (name, value) VALUES (${isComplete ? 'id_complete' : 'id'}, ${id})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(db);
}

/** The installations that a ClickHouse belongs to: one, none where none has taken it yet, and more where an operator has accepted another's. */
export async function readClickHouseIds(clickhouse: ClickHouse): Promise<string[]> {
  const rows = await clickhouse.systemQuery<{ id: string }>('SELECT DISTINCT id FROM installation ORDER BY id');
  return rows.map(({ id }) => id);
}

/** Makes a ClickHouse that of an installation. */
export async function writeClickHouseId(clickhouse: ClickHouse, id: string): Promise<void> {
  const table = clickhouse.cluster === null ? 'installation' : 'installation_local';
  await clickhouse.command(`INSERT INTO ${table} (id) VALUES ({id:String})`, { id });
}
