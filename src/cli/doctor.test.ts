import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDataDirectory } from '../../test/support/service.ts';
import { copyStores } from '../../test/support/store-templates.ts';
import { readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { joinInstallation } from '../platform/installation/index.ts';
import { requireSameSecret } from '../platform/postgres/index.ts';
import { openStores } from '../stores.ts';
import { examine } from './doctor.ts';

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
beforeEach(async () => {
  directory = await temporaryDataDirectory();
});
afterEach(() => directory.remove());

const configOf = (more: Record<string, string> = {}): Config =>
  // Nothing listens on port 1.
  readConfig({ SPANWISE_DATA_DIR: join(directory.path, 'data'), SPANWISE_PORT: '1', ...more });
const findings = async (more?: Record<string, string>) =>
  Object.fromEntries((await examine(configOf(more))).map(({ name, ok, detail }) => [name, ok ? 'ok' : detail]));

test('makes nothing in a data directory that does not exist', async () => {
  expect(await findings()).toEqual({ settings: 'ok', 'data directory': 'ok', disk: 'ok', 'open files': 'ok', Node: 'ok' });
  expect(existsSync(join(directory.path, 'data'))).toBe(false);
});

test('finds an address that the machine does not have', async () => {
  expect(await findings({ SPANWISE_HOST: '192.0.2.1' })).toMatchObject({
    address: expect.stringMatching(/^SPANWISE_HOST: this machine does not have the address 192\.0\.2\.1; /) as string,
  });
});

test('finds another secret key, and a Redis that does not answer', async () => {
  copyStores(join(directory.path, 'data'));
  const stores = await openStores(configOf(), pino({ level: 'silent' }));
  await requireSameSecret(stores.postgres.db, stores.directory.secretKey());
  await stores.close();
  expect(await findings({ SPANWISE_SECRET_KEY: 'c'.repeat(64), REDIS_URL: 'redis://127.0.0.1:1' })).toMatchObject({
    PostgreSQL: 'ok',
    ClickHouse: 'ok',
    clock: 'ok',
    'secret key': expect.stringContaining('give every replica the same SPANWISE_SECRET_KEY'),
    Redis: expect.stringMatching(/^REDIS_URL: Redis does not answer \(.*ECONNREFUSED/),
  });
  expect(await findings()).toMatchObject({ 'secret key': 'ok' });
}, 60_000);

test('finds a directory that is open to others, a damaged log, and stores of two installations', async () => {
  copyStores(join(directory.path, 'data'));
  const [wal, path] = [join(directory.path, 'data', 'wal'), join(directory.path, 'data')];
  const silent = pino({ level: 'silent' });
  const stores = await openStores(configOf(), silent);
  await joinInstallation(stores, { secretKey: null, accept: [], log: silent });
  await stores.wal.append(Buffer.from('whole'));
  await stores.close();
  const newest = readdirSync(wal)
    .filter((name) => name.endsWith('.wal'))
    .toSorted()
    .at(-1);
  truncateSync(join(wal, newest ?? ''), statSync(join(wal, newest ?? '')).size - 2);
  mkdirSync(join(wal, 'quarantine'));
  writeFileSync(join(wal, 'quarantine', '0000000000000001.wal.28-60'), 'damage');
  writeFileSync(join(wal, 'installation'), 'another\n');
  chmodSync(path, 0o750);
  expect(await findings()).toMatchObject({
    'data directory': expect.stringContaining('open to other users (mode 0750); run chmod 700') as string,
    'write-ahead log': expect.stringMatching(
      /it ended within a record of 27 bytes.*; 1 damaged records are in .*quarantine/,
    ) as string,
    installation: expect.stringMatching(
      /^the write-ahead log \(.*\) belongs to another installation .*--accept-missing=log$/,
    ) as string,
    'secret key': 'ok',
    'fatal signals': 'ok',
  });
}, 60_000);
