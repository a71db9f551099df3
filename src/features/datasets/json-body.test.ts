import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import { ItemTexts } from './item-texts.ts';
import { takeJsonBodies } from './json-body.ts';

async function openService() {
  const itemTexts = new ItemTexts();
  const service = await openHttpService(async (app) => {
    takeJsonBodies(app, itemTexts);
    for (const [url, body] of [
      ['/v1/items', 'items'],
      ['/v1/fields', 'fields'],
    ] as const)
      app.post(url, { config: { access: { who: 'public' }, body } }, () => ({}));
  });
  const close = async () => {
    await service.close();
    await itemTexts.close();
  };
  return { ...service, close };
}

test.each(['/v1/items', '/v1/fields'])('a client that goes while it sends to %s is no error of the service', async (path) => {
  const service = await openService();
  const headers = { 'content-type': 'application/json', 'content-length': 1000 };
  const sending = httpRequest(`${service.url}${path}`, { method: 'POST', headers }).on('error', () => undefined);
  const arrived = new Promise<void>((resolve) => {
    service.app.server.once('request', (request) => {
      request.once('close', () => resolve());
      request.once('resume', () => sending.destroy());
      request.once('readable', () => sending.destroy());
    });
  });
  sending.write('{"items":');
  await arrived;
  await service.close();
  expect(service.logged()).not.toContain('"level":50');
});

test.each(['/v1/items', '/v1/fields'])('a compressed body of %s is refused with 415', async (path) => {
  const service = await openService();
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const answer = await fetch(service.url + path, { method: 'POST', headers, body: gzipSync('{}') });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
  const plain = { ...headers, 'content-encoding': 'Identity' };
  expect((await fetch(service.url + path, { method: 'POST', headers: plain, body: '{}' })).status).not.toBe(415);
  await service.close();
});
