import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fsyncSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDurablePglite } from './durable-pglite.ts';
import { embeddedBackend } from './postgres-backends.fixture.ts';

const rounds = 4;

test('every commit is synced to disk before it returns', async () => {
  const { dataDirectory, remove } = await embeddedBackend.create();
  let syncs = 0;
  const database = await openDurablePglite(dataDirectory, { onSync: () => syncs++ });
  await database.exec('CREATE TABLE commits (id integer)');
  for (let id = 1; id <= 100; id++) {
    const before = syncs;
    await database.query('INSERT INTO commits VALUES ($1)', [id]);
    expect(syncs).toBeGreaterThan(before);
  }
  const settings = await database.query(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method') ORDER BY name",
  );
  expect(settings.rows).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'wal_sync_method', setting: 'fsync' },
  ]);
  await database.close();
  await remove();
});

test('a commit whose sync fails is not acknowledged, and PostgreSQL panics', async () => {
  const { dataDirectory, remove } = await embeddedBackend.create();
  let broken = false;
  let panics = 0;
  const sync = (descriptor: number) => {
    if (broken) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    fsyncSync(descriptor);
  };
  const database = await openDurablePglite(dataDirectory, { sync, onPanic: () => panics++ });
  await database.exec('CREATE TABLE commits (id integer)');
  broken = true;
  await expect(database.query('INSERT INTO commits VALUES (1)')).rejects.toThrow('could not fsync file');
  expect(panics).toBe(1);
  await remove();
});

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
      // It goes on committing while it is being killed; those that it still acknowledges are read too.
      if (++lines === round * 17) child.kill('SIGKILL');
    }
    expect((await exited)[1]).toBe('SIGKILL');
  }
  expect(acknowledged).toBeGreaterThan(rounds * 17);

  const postgres = await database.open();
  const { rows } = await sql<{ id: number }>`SELECT id FROM commits ORDER BY id`.execute(postgres.db);
  const kept = rows.map(({ id }) => id);
  expect(kept.slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, index) => index + 1));
  // At most the one that was under way at each kill.
  expect(kept.length).toBeLessThanOrEqual(acknowledged + rounds);
  await postgres.close();
  await database.remove();
});
