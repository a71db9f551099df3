import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { EmbeddedServer } from './embedded-server.ts';
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

test('a connection starts with a clean session, however the previous one ended', async () => {
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

test('after its thread dies it restarts with everything that was committed', async () => {
  const first = await connect();
  await first.query('CREATE TABLE kept (id integer)');
  await first.query('INSERT INTO kept VALUES (1)');
  const endless = first.query('SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b');
  // Destroying a connection with a running statement terminates the thread.
  setImmediate(() => (first as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy());
  await expect(endless).rejects.toThrow('Connection terminated');

  const second = await connect();
  expect((await second.query('SELECT * FROM kept')).rows).toEqual([{ id: 1 }]);
  await second.end();
  expect(errors.map(({ message }) => message)).toEqual(['the embedded PostgreSQL is started again']);
});

test('a directory with other contents is refused and left unchanged', async () => {
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

test('a damaged database is refused with a message of one line', async () => {
  const { dataDirectory, remove } = await embeddedBackend.create();
  await writeFile(join(dataDirectory, 'PG_VERSION'), '11\n');
  const opening = openPostgres({ url: null, dataDirectory, onError: () => undefined });
  await expect(opening).rejects.toMatchObject({
    name: 'DatabaseError',
    message: expect.stringMatching(/^the embedded PostgreSQL cannot open[^\n]+$/),
  });
  await remove();
});

test('environment variables for PostgreSQL servers have no effect', async () => {
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
