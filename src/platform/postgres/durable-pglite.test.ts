import { fsyncSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDurablePglite } from './durable-pglite.ts';
import { compilePglite } from './pglite-module.ts';
import { embeddedBackend } from './postgres-backends.fixture.ts';

test('every commit is synced to disk before it returns', async () => {
  const { dataDirectory, remove } = await embeddedBackend.create();
  let syncs = 0;
  const database = await openDurablePglite(dataDirectory, compilePglite(), { onSync: () => syncs++ });
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
  const database = await openDurablePglite(dataDirectory, compilePglite(), { sync, onPanic: () => panics++ });
  await database.exec('CREATE TABLE commits (id integer)');
  broken = true;
  await expect(database.query('INSERT INTO commits VALUES (1)')).rejects.toThrow('could not fsync file');
  expect(panics).toBe(1);
  await remove();
});
