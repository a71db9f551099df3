import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp } from '../../src/app.ts';
import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { StoreName } from '../../src/platform/installation/index.ts';
import { readPostgresId } from '../../src/platform/installation/stored-ids.ts';
import { openStores } from '../../src/stores.ts';
import { temporaryDataDirectory } from '../support/service.ts';
import { copyStore, copyStores } from '../support/store-templates.ts';

const log = pino({ level: 'silent' });
let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let data: string;
beforeEach(async () => {
  directory = await temporaryDataDirectory();
  data = join(directory.path, 'data');
  copyStores(data);
});
afterEach(() => directory.remove());

const config = () => readConfig({ SPANWISE_PORT: '0', SPANWISE_DATA_DIR: data, SPANWISE_LOG_LEVEL: 'silent' });
const start = (acceptMissing: StoreName[] = []): Promise<App> => startApp(config(), { log, jobs: false, acceptMissing });
async function startAndStop(acceptMissing: StoreName[] = []): Promise<string> {
  const app = await start(acceptMissing);
  await app.close();
  return (JSON.parse(readFileSync(join(data, 'installation.json'), 'utf8')) as { id: string }).id;
}

// Nothing is made in the place of the lost one, so that it can be put back.
test('a start without a store that was there refuses, and starts once it is put back or its loss is accepted', async () => {
  const id = await startAndStop();
  for (const [store, name] of [
    ['postgres', 'postgres'],
    ['clickhouse', 'clickhouse'],
    ['log', 'wal'],
    ['secret', 'secret.key'],
  ] as const) {
    renameSync(join(data, name), join(directory.path, name));
    const message = new RegExp(`\\(.*${name.replace('.', '\\.')}\\) is missing or empty, .*--accept-missing=${store}$`);
    await expect(start()).rejects.toThrow(message);
    expect(existsSync(join(data, name)), name).toBe(false);
    renameSync(join(directory.path, name), join(data, name));
  }
  expect(await startAndStop()).toBe(id);
  rmSync(join(data, 'clickhouse'), { recursive: true });
  rmSync(join(data, 'wal'), { recursive: true });
  await expect(start()).rejects.toThrow(/--accept-missing=clickhouse\n.*--accept-missing=log$/);
  await expect(start(['clickhouse'])).rejects.toThrow(/:\n {2}the write-ahead log [^\n]*$/);
  expect(await startAndStop(['clickhouse', 'log'])).toBe(id);
  expect(await startAndStop()).toBe(id);
}, 120_000);

test('stores without data in the place of those with data, and those of another installation, are refused', async () => {
  const id = await startAndStop();
  for (const store of ['postgres', 'clickhouse'] as const) {
    renameSync(join(data, store), join(directory.path, store));
    copyStore(store, join(data, store));
    await expect(start()).rejects.toThrow(new RegExp(`${store}\\) is missing or empty, .*--accept-missing=${store}$`));
    rmSync(join(data, store), { recursive: true });
    renameSync(join(directory.path, store), join(data, store));
  }
  writeFileSync(join(data, 'wal', 'installation'), 'another\n');
  await expect(start()).rejects.toThrow(/the write-ahead log .* belongs to another installation .*--accept-missing=log$/);
  expect(await startAndStop(['log'])).toBe(id);
  expect(await startAndStop()).toBe(id);
}, 120_000);

test('a first start that was interrupted at any step goes on, and one with data from before gets an id', async () => {
  const id = await startAndStop();
  rmSync(join(data, 'installation.json'));
  // As after a restore: every other store agrees.
  expect(await startAndStop()).toBe(id);
  // As before the last step of a first start, with the stores of the first steps only.
  const opened = await openStores(config(), log);
  await opened.postgres.db
    .deleteFrom('installation' as never)
    .where('name' as never, '=', 'id_complete' as never)
    .execute();
  await opened.close();
  rmSync(join(data, 'installation.json'));
  rmSync(join(data, 'clickhouse'), { recursive: true });
  copyStore('clickhouse', join(data, 'clickhouse'));
  rmSync(join(data, 'wal', 'installation'));
  expect(await startAndStop()).toBe(id);
  const again = await openStores(config(), log);
  expect(await readPostgresId(again.postgres.db)).toEqual({ id, isComplete: true });
  await again.close();
}, 120_000);
