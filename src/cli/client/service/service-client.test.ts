import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { NoAnswer } from './refusal.ts';
import { openServiceClient } from './service-client.ts';

test('what a server answers cannot move the cursor', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end('{"error":"gone\\u001b[2J\\u202e"}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openServiceClient({ url, credential: 'spwu_x', urlOption: '--url' });
  await expect(client.send('/v1/x')).rejects.toThrow(String.raw`answered 404: gone\u{1b}[2J\u{202e}`);
  server.close();
});

test.each([200, 404])('an answer of %i that breaks off is no answer', async (status) => {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.write('{"a":', () => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openServiceClient({ url, credential: 'spwu_x', urlOption: '--url' });
  const asked = client.json('GET', '/v1/x');
  await expect(asked).rejects.toBeInstanceOf(NoAnswer);
  await expect(asked).rejects.toThrow(`the answer of ${url} broke off`);
  server.close();
});

test.each([
  ['7', 7],
  ['Fri, 27 Nov 2026 13:00:00 GMT', null],
])('a refusal with Retry-After %s has %s as its seconds', async (given, seconds) => {
  const server = createServer((_request, response) => response.writeHead(503, { 'retry-after': given }).end('{"error":"later"}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openServiceClient({ url, credential: 'spwu_x', urlOption: '--url' });
  await expect(client.send('/v1/x')).rejects.toMatchObject({ retryAfterS: seconds });
  server.close();
});
