import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let service: Service;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
  service = await startService({ dataDirectory: directory.path });
});
afterAll(async () => {
  await service.stop();
  await directory.remove();
});

/** Mebibytes of memory that the service holds. */
async function residentMiB(): Promise<number> {
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test('2,000 connections that do not read hold a bounded memory, and others are served', async () => {
  const { cookie, projectId } = await service.signIn();
  const input = 'x'.repeat(900_000);
  for (let span = 0; span < 16; span++) {
    const event = { type: 'span', traceId: 't', spanId: `s${span}`, name: 'n', startTime: new Date().toISOString(), input };
    const headers = { 'x-api-key': service.apiKey, 'content-type': 'application/x-ndjson' };
    const sent = await fetch(`${service.url}/v1/ingest`, { method: 'POST', body: JSON.stringify(event), headers });
    expect(sent.status).toBe(202);
  }
  const path = `/v1/projects/${projectId}/traces/t?payloads=full`;
  const read = async () => (await (await fetch(service.url + path, { headers: { cookie } })).text()).length;
  await expect.poll(read, { timeout: 30_000 }).toBeGreaterThan(14_000_000);
  const beforeMiB = await residentMiB();
  const port = Number(new URL(service.url).port);
  const sockets = Array.from({ length: 2_000 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`);
    return socket;
  });
  const whoami = () => fetch(`${service.url}/v1/sdk/whoami`, { headers: { 'x-api-key': service.apiKey } });
  for (let round = 0; round < 20; round++) expect((await whoami()).status).toBe(200);
  await expect
    .poll(async () => (await fetch(service.url + path, { headers: { cookie } })).status, { timeout: 120_000 })
    .toBe(503);
  expect((await residentMiB()) - beforeMiB).toBeLessThan(1_024);
  expect((await whoami()).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(read, { timeout: 60_000 }).toBeGreaterThan(14_000_000);
});
