import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { EmbeddedServer } from './embedded-server.ts';
import { maintain } from './maintenance.ts';
import { embeddedBackend } from './postgres-backends.fixture.ts';
import { openPostgres } from './postgres.ts';

const rounds = 4;

test('a process that is killed loses no commit that it acknowledged', async () => {
  const database = await embeddedBackend.create();
  let acknowledged = 0;
  for (let round = 1; round <= rounds; round++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'commit-for-ever.fixture.ts'), database.dataDirectory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    let lines = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line);
      // The process commits until it is dead; rows acknowledged after the signal count too.
      if (++lines === round * 17) child.kill('SIGKILL');
    }
    expect((await exited)[1]).toBe('SIGKILL');
  }
  expect(acknowledged).toBeGreaterThan(rounds * 17);

  const postgres = await database.open();
  const { rows } = await sql<{ id: number }>`SELECT id FROM commits ORDER BY id`.execute(postgres.db);
  const kept = rows.map(({ id }) => id);
  expect(kept.slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, index) => index + 1));
  // At most one unacknowledged commit for each kill.
  expect(kept.length).toBeLessThanOrEqual(acknowledged + rounds);
  await postgres.close();
  await database.remove();
});

test('a database whose creation was interrupted by a kill is created again', async () => {
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

test('answers do not stay in memory', async () => {
  const database = await embeddedBackend.create();
  const server = await EmbeddedServer.open(database.dataDirectory, () => undefined);
  const client = new pg.Client({ stream: () => server.stream() as never, user: 'postgres', database: 'postgres' });
  await client.connect();
  const read = async (times: number) => {
    for (let time = 0; time < times; time++) await client.query("SELECT repeat('x', 2000) AS text FROM generate_series(1, 1000)");
  };
  await read(50);
  const before = process.memoryUsage().rss;
  await read(250);
  const grown = process.memoryUsage().rss - before;
  await client.end();
  await server.close();
  await database.remove();
  // 500 MB of answers. PGlite's own row parsing would keep them all, twice.
  expect(grown).toBeLessThan(250_000_000);
});

test('maintenance bounds the log and the dead rows', async () => {
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
