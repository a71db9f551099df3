import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { bytesOf } from '../budgets/index.ts';
import { openHttpService } from './http-service.fixture.ts';
import type { HttpService } from './http-service.fixture.ts';

const mebibyte = 1_048_576;
const patient = { timeout: 60_000 };

/** A service whose answers are larger than what the operating system takes of a connection. */
async function openService(stalledMs: number) {
  const read = Promise.withResolvers<void>();
  const budget = bytesOf('unreadAnswers');
  const config = { access: { who: 'public' as const } };
  const service = await openHttpService(
    (app) => {
      app.get('/v1/large', { config }, () => Buffer.alloc(40 * mebibyte, 'x'));
      app.get('/v1/small', { config }, () => ({}));
      app.get('/v1/late', { config }, async () => {
        await read.promise;
        return {};
      });
      app.get('/v1/endless', { config }, (_request, reply) => {
        const endless = new Readable({ read: () => void endless.push(Buffer.alloc(65_536)) });
        return reply.send(endless);
      });
    },
    { unread: { budget, stalledMs, lookEveryMs: 20 } },
  );
  return { ...service, budget, read };
}

/** Asks without reading the answer. */
function ask(service: HttpService, path: string): Socket {
  const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
  socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return socket;
}

test('answers that nobody reads are bounded by caller, and others are served', async () => {
  const service = await openService(600_000);
  const sockets = [1, 2, 3].map(() => ask(service, '/v1/large'));
  await expect.poll(() => service.budget.held, patient).toBe(120 * mebibyte);
  const refused = await service.request('/v1/large');
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  expect((await service.request('/v1/small')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => service.budget.held, patient).toBe(0);
  expect((await service.request('/v1/large')).status).toBe(200);
  await service.close();
});

test.each(['/v1/large', '/v1/endless'])('a connection that takes no byte of %s is closed', async (path) => {
  const service = await openService(100);
  const answered = once(service.app.server, 'request') as Promise<
    [unknown, { once(event: 'close', listener: () => void): void }]
  >;
  const socket = ask(service, path);
  const [, response] = await answered;
  await new Promise<void>((resolve) => response.once('close', resolve));
  await expect.poll(() => service.budget.held, patient).toBe(0);
  socket.destroy();
  await service.close();
});

test('an answer of which nothing was made yet may take as long as it takes', async () => {
  const service = await openService(100);
  const late = service.request('/v1/late');
  await once(service.app.server, 'request');
  const answered = once(service.app.server, 'request') as Promise<
    [unknown, { once(event: 'close', listener: () => void): void }]
  >;
  const socket = ask(service, '/v1/endless');
  const [, response] = await answered;
  // Closed after that time, through which the other has waited too.
  await new Promise<void>((resolve) => response.once('close', resolve));
  service.read.resolve();
  expect((await late).status).toBe(200);
  socket.destroy();
  await service.close();
});
