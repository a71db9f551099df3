import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { DatabaseError } from './database-error.ts';
import type { Postgres } from './postgres.ts';

interface Migration {
  number: number;
  file: string;
  text: string;
  sha256: string;
}

interface Applied {
  number: number;
  name: string;
  sha256: string;
}

/**
 * Applies the numbered SQL files of `directory` (`0001_name.sql`, append-only) that are not applied yet, each in a transaction. Holds a
 * lock, so that replicas may start at the same time.
 *
 * Errors: {@link DatabaseError} for an applied file that was changed or removed, a new file numbered before an applied one, two files with
 * the same number, or a statement that PostgreSQL refuses; migrations applied before stay.
 */
export async function migratePostgres(postgres: Postgres, directory: string): Promise<void> {
  const migrations = await read(directory);
  await postgres.withLock('spanwise-migrations', async () => {
    await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
      number integer PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
    )`.execute(postgres.unlimited);
    const { rows } = await sql<Applied>`SELECT number, name, sha256 FROM schema_migrations ORDER BY number`.execute(
      postgres.unlimited,
    );
    for (const migration of pending(migrations, rows)) await apply(postgres, migration);
  });
}

/** The migrations of a directory, by number. */
async function read(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted();
  const migrations: Migration[] = [];
  for (const file of files) {
    const number = Number(/^(\d{4})_\w+\.sql$/.exec(file)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) throw new DatabaseError(`the PostgreSQL migration ${file} must be named like 0001_name.sql`);
    const twin = migrations.find((migration) => migration.number === number);
    if (twin)
      throw new DatabaseError(`the PostgreSQL migrations ${twin.file} and ${file} have one number; renumber the newer one`);
    const text = await readFile(join(directory, file), 'utf8');
    migrations.push({ number, file, text, sha256: createHash('sha256').update(text).digest('hex') });
  }
  return migrations;
}

/** The migrations that are not applied yet. Throws when the applied ones do not match the files. */
function pending(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const newest = applied.at(-1)?.number ?? 0;
  for (const { number, name, sha256 } of applied) {
    const migration = migrations.find((candidate) => candidate.number === number);
    if (!migration) {
      throw new DatabaseError(
        `PostgreSQL has the migration ${name}, which this release does not know; start the release that made it, or a newer one`,
      );
    }
    if (migration.sha256 !== sha256) {
      throw new DatabaseError(
        `the PostgreSQL migration ${migration.file} was changed after it had been applied; restore it and add a new file instead`,
      );
    }
  }
  const waiting = migrations.filter(({ number }) => !applied.some((row) => row.number === number));
  const late = waiting.find(({ number }) => number < newest);
  if (late)
    throw new DatabaseError(
      `the PostgreSQL migration ${late.file} comes before one that is already applied; give it a number after ${newest}`,
    );
  return waiting;
}

async function apply(postgres: Postgres, { number, file, text, sha256 }: Migration): Promise<void> {
  try {
    await postgres.unlimited.transaction().execute(async (transaction) => {
      // No statement timeout, since large tables take long; but a lock that a running replica holds must not block the start without end.
      await sql`SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '60s', true)`.execute(transaction);
      await sql.raw(text).execute(transaction);
      await sql`INSERT INTO schema_migrations (number, name, sha256) VALUES (${number}, ${file}, ${sha256})`.execute(transaction);
    });
  } catch (error) {
    throw new DatabaseError(
      `the PostgreSQL migration ${file} failed: ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
}
