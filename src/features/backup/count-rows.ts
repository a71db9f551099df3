import { sql } from 'kysely';
import type { Database } from '../../platform/postgres/index.ts';

/**
 * Rows of every table of PostgreSQL that is written to the log, by name. Unlogged tables are left out: PostgreSQL empties them when it
 * starts from files that were copied while it ran, and they hold only what may be lost (failed sign-ins, buckets of rate limits).
 */
export async function countRows(db: Database): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'p' ORDER BY relname`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int8 AS count FROM ${sql.table(name)}`.execute(db);
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}

/** Names of the tables that PostgreSQL does not write to its log. */
export async function unloggedTables(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'u'`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
