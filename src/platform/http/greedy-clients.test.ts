import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { openHttpService } from './http-service.fixture.ts';

test('an answer that its client does not read is given up', async () => {
  const ended = Promise.withResolvers<void>();
  const endless = new Readable({ read: () => void endless.push(Buffer.alloc(65_536)) });
  endless.once('close', () => ended.resolve());
  const service = await openHttpService((app) => {
    app.get('/v1/endless', { config: { access: { who: 'public' } } }, (request, reply) => {
      request.raw.socket.setTimeout(50);
      return reply.send(endless);
    });
  });
  const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
  socket.pause().write('GET /v1/endless HTTP/1.1\r\nHost: a\r\n\r\n');
  await ended.promise;
  expect(service.logged()).not.toContain('"level":50');
  socket.destroy();
  await service.close();
});

test('the OpenAPI document is written once', async () => {
  const service = await openHttpService(() => {});
  const written = vi.spyOn(service.app, 'swagger');
  const [first, second] = [await service.request('/v1/openapi.json'), await service.request('/v1/openapi.json')];
  expect(first.body).toMatchObject({ openapi: '3.1.0' });
  expect(second.text).toBe(first.text);
  expect(written).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
  await service.close();
});

test('a connection that stands still is closed after ten minutes', async () => {
  const service = await openHttpService(() => {});
  expect(service.app.server.timeout).toBe(600_000);
  await service.close();
});
