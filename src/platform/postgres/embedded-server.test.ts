import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { EmbeddedServer } from './embedded-server.ts';
import { maintain } from './maintenance.ts';
import { embeddedBackend } from './postgres-backends.fixture.ts';
import type { TestDatabase } from './postgres-backends.fixture.ts';
import { openPostgres } from './postgres.ts';

let database: TestDatabase;
let server: EmbeddedServer;
const errors: Error[] = [];

beforeAll(async () => {
  database = await embeddedBackend.create();
  server = await EmbeddedServer.open(database.dataDirectory, (error) => errors.push(error));
});
afterAll(async () => {
  await server.close();
  await database.remove();
});
afterEach(() => vi.unstubAllEnvs());

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ stream: () => server.stream() as never, user: 'postgres', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test('a connection finds nothing of the one before it, however that one ended', async () => {
  const first = await connect();
  await first.query('CREATE TABLE visits (id integer)');
  await first.query('SET search_path = pg_catalog');
  await first.query({ name: 'prepared', text: 'SELECT 1' });
  await first.query('BEGIN');
  await first.query('INSERT INTO public.visits VALUES (1)');
  (first as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

  const second = await connect();
  expect((await second.query('SELECT * FROM visits')).rows).toEqual([]);
  expect((await second.query('SHOW search_path')).rows).toEqual([{ search_path: 'public' }]);
  expect((await second.query('SHOW TimeZone')).rows).toEqual([{ TimeZone: 'UTC' }]);
  expect((await second.query({ name: 'prepared', text: 'SELECT 2 AS two' })).rows).toEqual([{ two: 2 }]);
  await second.query('INSERT INTO visits VALUES (2)');
  await second.end();

  const third = await connect();
  expect((await third.query('SELECT * FROM visits')).rows).toEqual([{ id: 2 }]);
  await third.end();
  expect(errors).toEqual([]);
});

test('what it has answered does not stay in memory', async () => {
  const client = await connect();
  const read = async (times: number) => {
    for (let time = 0; time < times; time++) await client.query("SELECT repeat('x', 2000) AS text FROM generate_series(1, 1000)");
  };
  await read(50);
  const before = process.memoryUsage().rss;
  await read(250);
  await client.end();
  // 500 MB were answered. They were all kept, twice over, until rows were taken out of PGlite's hands.
  expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000);
});

test('after the death of its thread it starts again with everything that was committed', async () => {
  const first = await connect();
  await first.query('CREATE TABLE kept (id integer)');
  await first.query('INSERT INTO kept VALUES (1)');
  const endless = first.query('SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b');
  // A statement under way when its connection is given up takes the thread with it.
  setImmediate(() => (first as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy());
  await expect(endless).rejects.toThrow('Connection terminated');

  const second = await connect();
  expect((await second.query('SELECT * FROM kept')).rows).toEqual([{ id: 1 }]);
  await second.end();
  expect(errors.map(({ message }) => message)).toEqual(['the embedded PostgreSQL is started again']);
});

test('a database of whose making the process was killed is made anew', async () => {
  const { dataDirectory, remove } = await embeddedBackend.create();
  const fresh = join(dataDirectory, '..', 'fresh');
  await mkdir(`${fresh}.new`);
  await writeFile(join(`${fresh}.new`, 'PG_VERSION'), '18\n');
  const postgres = await openPostgres({ url: null, dataDirectory: fresh, onError: () => undefined });
  await postgres.ping();
  await postgres.close();
  await expect(stat(`${fresh}.new`)).rejects.toThrow('ENOENT');
  expect((await stat(fresh)).mode & 0o777).toBe(0o700);
  await remove();
});

test('a directory that holds something else is refused and left alone', async () => {
  const { dataDirectory, remove } = await embeddedBackend.create();
  const other = join(dataDirectory, '..', 'other');
  await mkdir(other);
  await writeFile(join(other, 'precious'), 'x');
  const opening = openPostgres({ url: null, dataDirectory: other, onError: () => undefined });
  await expect(opening).rejects.toMatchObject({
    name: 'DatabaseError',
    message: expect.stringContaining('move what is in it elsewhere'),
  });
  await stat(join(other, 'precious'));
  await remove();
});

test('a damaged database is refused in one line', async () => {
  const { dataDirectory, remove } = await embeddedBackend.create();
  await writeFile(join(dataDirectory, 'PG_VERSION'), '11\n');
  const opening = openPostgres({ url: null, dataDirectory, onError: () => undefined });
  await expect(opening).rejects.toMatchObject({
    name: 'DatabaseError',
    message: expect.stringMatching(/^the embedded PostgreSQL cannot open[^\n]+$/),
  });
  await remove();
});

test('settings for PostgreSQL servers in the environment do not reach it', async () => {
  for (const [name, value] of Object.entries({
    PGSSLMODE: 'require',
    PGOPTIONS: '-c nonsense=1',
    PGUSER: 'someone',
    PGHOST: '192.0.2.1',
  })) {
    vi.stubEnv(name, value);
  }
  const other = await embeddedBackend.create();
  const postgres = await other.open();
  expect((await sql<{ user: string }>`SELECT current_user AS user`.execute(postgres.db)).rows).toEqual([{ user: 'postgres' }]);
  await postgres.close();
  await other.remove();
});

test('maintenance keeps its log and its dead rows from growing', async () => {
  const other = await embeddedBackend.create();
  const postgres = await other.open();
  await sql`CREATE TABLE counters AS SELECT n AS id, 0 AS value, repeat('x', 500) AS filler FROM generate_series(1, 2000) n`.execute(
    postgres.db,
  );
  const logBytes = async () =>
    (await sql<{ bytes: number }>`SELECT sum(size)::bigint AS bytes FROM pg_ls_waldir()`.execute(postgres.db)).rows[0]?.bytes ??
    0;
  const tableBytes = async () =>
    (await sql<{ bytes: number }>`SELECT pg_table_size('counters') AS bytes`.execute(postgres.db)).rows[0]?.bytes ?? 0;
  const round = async () => {
    for (let time = 0; time < 30; time++)
      await sql`UPDATE counters SET value = value + 1, filler = filler || 'x'`.execute(postgres.db);
    await maintain(postgres.unlimited, true);
    return { log: await logBytes(), table: await tableBytes() };
  };
  const first = await round();
  await round();
  const third = await round();
  expect(third.table).toBeLessThan(first.table * 1.5);
  expect(third.log).toBeLessThanOrEqual(Math.max(first.log, 80 * 1_048_576));
  await postgres.close();
  await other.remove();
});
