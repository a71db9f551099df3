import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import Fastify from 'fastify';
import { limitConnections, maxConnectionsUnder } from './limit-connections.ts';

const sockets: Socket[] = [];
const app = Fastify();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

async function connected(): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** The whole response on a connection that the server closes; empty where it answers nothing. */
async function answerOn(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return text(socket).catch(() => '');
}

test('beyond the limit two connections answer for health alone, and further ones are closed', async () => {
  limitConnections(app, 3);
  app.get('/healthz', { config: { access: { who: 'public' }, answersWhileDraining: true } }, () => 'alive');
  app.get('/other', { config: { access: { who: 'public' } } }, () => 'other');
  await app.listen({ port: 0 });
  const idle = [await connected(), await connected(), await connected()];
  const health = await connected();
  expect(await answerOn(health, '/healthz')).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*alive$/i);
  expect(await answerOn(await connected(), '/other')).toMatch(/^HTTP\/1\.1 503 /);
  const [first, second] = [await connected(), await connected()];
  expect(await answerOn(await connected(), '/healthz')).toBe('');
  for (const socket of [...idle.slice(0, 1), first, second]) {
    socket.destroy();
    await once(socket, 'close');
  }
  await expect
    .poll(async () => {
      const socket = await connected();
      socket.end('GET /other HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      return (await text(socket).catch(() => '')).split('\r\n')[0];
    })
    .toBe('HTTP/1.1 200 OK');
});

test('500 open files are kept for the stores, or half of few', () => {
  expect([65_536, 1_500, 1_024, 256].map(maxConnectionsUnder)).toEqual([65_036, 1_000, 524, 128]);
});
