import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Rows of every table of PostgreSQL, by name. */
export async function countRows(db: Kysely<unknown>): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int8 AS count FROM ${sql.table(name)}`.execute(db);
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}
