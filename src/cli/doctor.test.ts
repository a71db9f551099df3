import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDataDirectory } from '../../test/support/service.ts';
import { copyStores } from '../../test/support/store-templates.ts';
import { readConfig } from '../config.ts';
import type { Config } from '../config.ts';
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
  expect(await findings()).toEqual({ settings: 'ok', 'data directory': 'ok', disk: 'ok' });
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
