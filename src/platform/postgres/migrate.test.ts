import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migratePostgres } from './migrate.ts';
import { backends } from './postgres-backends.fixture.ts';
import type { TestDatabase } from './postgres-backends.fixture.ts';
import type { Postgres } from './postgres.ts';

describe.each(backends)('migrations, $mode', (backend) => {
  let database: TestDatabase;
  let postgres: Postgres;
  let directory: string;

  beforeAll(async () => {
    database = await backend.create();
    postgres = await database.open();
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'spanwise-migrations-'));
    for (const statement of ['DROP SCHEMA public CASCADE', 'CREATE SCHEMA public']) await sql.raw(statement).execute(postgres.db);
    await write('0001_first.sql', 'CREATE TABLE first (id integer); INSERT INTO first VALUES (1);');
    await write('0002_second.sql', 'ALTER TABLE first ADD COLUMN name text;');
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  afterAll(async () => {
    await postgres.close();
    await database.remove();
  });

  const write = (file: string, text: string) => writeFile(join(directory, file), text);
  const migrate = () => migratePostgres(postgres, directory);
  const refused = (message: string) =>
    expect(migrate()).rejects.toMatchObject({ name: 'DatabaseError', message: expect.stringContaining(message) });

  async function applied(): Promise<string[]> {
    const { rows } = await sql<{
      name: string;
      sha256: string;
    }>`SELECT name, sha256 FROM schema_migrations ORDER BY number`.execute(postgres.db);
    for (const { sha256 } of rows) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    return rows.map(({ name }) => name);
  }

  test('each file is applied once, in order, and new ones follow', async () => {
    await migrate();
    await migrate();
    expect(await applied()).toEqual(['0001_first.sql', '0002_second.sql']);
    expect((await sql`SELECT id, name FROM first`.execute(postgres.db)).rows).toEqual([{ id: 1, name: null }]);
    await write('0003_third.sql', 'CREATE TABLE third (id integer);');
    await migrate();
    expect(await applied()).toEqual(['0001_first.sql', '0002_second.sql', '0003_third.sql']);
  });

  test('a failed migration is rolled back, and those before it stay', async () => {
    await write('0003_third.sql', 'CREATE TABLE third (id integer); SELECT nonsense;');
    await refused('0003_third.sql failed: column "nonsense" does not exist');
    expect(await applied()).toEqual(['0001_first.sql', '0002_second.sql']);
    await write('0003_third.sql', 'CREATE TABLE third (id integer);');
    await migrate();
    expect(await applied()).toHaveLength(3);
  });

  test('an applied file that has changed is refused', async () => {
    await migrate();
    await write('0001_first.sql', 'CREATE TABLE first (id bigint);');
    await refused('0001_first.sql was changed after it had been applied; restore it');
  });

  test('a missing applied file is refused', async () => {
    await migrate();
    await rm(join(directory, '0001_first.sql'));
    await refused('PostgreSQL has the migration 0001_first.sql, which this release does not know');
  });

  test('a new file that comes before an applied one is refused', async () => {
    await rename(join(directory, '0002_second.sql'), join(directory, '0003_second.sql'));
    await migrate();
    await write('0002_late.sql', 'CREATE TABLE late (id integer);');
    await refused('0002_late.sql comes before one that is already applied; give it a number after 3');
  });

  test('two files with the same number, and a name without one, are refused before any is applied', async () => {
    await write('0002_twin.sql', 'SELECT 1;');
    await refused('0002_second.sql and 0002_twin.sql have one number');
    await rm(join(directory, '0002_twin.sql'));
    await write('third.sql', 'SELECT 1;');
    await refused('third.sql must be named like 0001_name.sql');
    expect((await sql`SELECT to_regclass('first') AS found`.execute(postgres.db)).rows).toEqual([{ found: null }]);
  });

  test('the statement timeout does not apply to migrations', async () => {
    await postgres.close();
    postgres = await database.open({ timeouts: { statement: 400 } });
    await write('0003_slow.sql', 'SELECT pg_sleep(1);');
    await migrate();
    expect(await applied()).toHaveLength(3);
    await postgres.close();
    postgres = await database.open();
  });

  test('the files of the repository apply', async () => {
    await migratePostgres(postgres, join(import.meta.dirname, '../../../migrations/postgres'));
    expect((await applied())[0]).toBe('0001_identity.sql');
  });

  if (backend.mode === 'server') {
    test('processes that start at the same time apply each file once', async () => {
      await write('0003_slow.sql', 'CREATE TABLE third (id integer); SELECT pg_sleep(0.3);');
      const program = join(import.meta.dirname, 'migrate-once.fixture.ts');
      const children = Array.from({ length: 3 }, () =>
        spawn(process.execPath, [program, database.url ?? '', directory], { stdio: 'inherit' }),
      );
      expect(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number))).toEqual([0, 0, 0]);
      expect(await applied()).toHaveLength(3);
      expect((await sql`SELECT count(*) AS rows FROM first`.execute(postgres.db)).rows).toEqual([{ rows: 1 }]);
    });
  }
});
