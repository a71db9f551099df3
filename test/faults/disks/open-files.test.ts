import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { until } from '../../support/until.ts';
import { compare, stored } from '../crash/crash-round.ts';
import { ask, newLedger } from '../servers/outage.ts';
import { sendOn } from './send-on.ts';

const openFiles = 1_500;
let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let service: Service;
const idle: Socket[] = [];

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
  const main = join(import.meta.dirname, '../../../src/main.ts');
  service = await startService({
    dataDirectory: directory.path,
    program: [main],
    // The shell becomes the service.
    through: ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`],
  });
});
afterAll(async () => {
  for (const socket of idle) socket.destroy();
  await service.stop();
  await directory.remove();
});

function connected(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  return once(socket, 'connect').then(() => socket);
}

test('1,500 connections that say nothing stop neither ingestion nor health', { timeout: 120_000 }, async () => {
  const ledger = newLedger(1);
  const own = await connected();
  expect(await sendOn(own, service.apiKey, ledger)).toBe(202);
  while (idle.length < openFiles) idle.push(...(await Promise.all(Array.from({ length: 100 }, connected))));
  // Each batch opens a segment of the log and files of ClickHouse.
  for (let request = 0; request < 30; request++) {
    expect(await sendOn(own, service.apiKey, ledger), `request ${request}`).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await until('health answers', async () => (await ask(`${service.url}/healthz`).catch(() => null))?.status === 200);
  for (const socket of idle.splice(0)) socket.destroy();
  await until('others are served again', async () => (await ask(`${service.url}/readyz`).catch(() => null))?.status === 200);
  compare(ledger, await stored(service, ledger));
  own.destroy();
});
