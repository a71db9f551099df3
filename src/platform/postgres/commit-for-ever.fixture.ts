// The process of the crash test: commits rows one by one and prints the number of each after its commit.
import { writeSync } from 'node:fs';
import { sql } from 'kysely';
import { openPostgres } from './postgres.ts';

const postgres = await openPostgres({ url: null, dataDirectory: process.argv[2] ?? '', onError: () => undefined });
await sql`CREATE TABLE IF NOT EXISTS commits (id integer PRIMARY KEY)`.execute(postgres.db);
for (;;) {
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO commits SELECT coalesce(max(id), 0) + 1 FROM commits RETURNING id`.execute(postgres.db);
  writeSync(1, `${rows[0]?.id}\n`);
}
