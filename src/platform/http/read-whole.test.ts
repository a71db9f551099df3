import { PassThrough, Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { readWhole } from './read-whole.ts';
import { smallPieces } from './small-pieces.fixture.ts';

const request = (bodyLimit: number, headers: Record<string, string> = {}) =>
  ({ headers, routeOptions: { bodyLimit } }) as unknown as FastifyRequest;

test('reads a body up to the limit of the route', async () => {
  expect(String(await readWhole(request(10), Readable.from([Buffer.from('01234'), Buffer.from('56789')])))).toBe('0123456789');
  const error = expect.objectContaining({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' }) as unknown;
  await expect(readWhole(request(9), Readable.from([Buffer.from('01234'), Buffer.from('56789')]))).rejects.toEqual(error);
  await expect(readWhole(request(9, { 'content-length': '10' }), new PassThrough())).rejects.toEqual(error);
});

test('keeps few of many small pieces', async () => {
  const body = String(await readWhole(request(5_000), smallPieces('a'.repeat(5_000))));
  expect(body).toBe('a'.repeat(5_000));
});

test('says that a body ended early', async () => {
  const payload = new PassThrough();
  const read = readWhole(request(9), payload);
  payload.destroy(new Error('aborted'));
  await expect(read).rejects.toMatchObject({ code: 'invalid_request', message: 'The body ended early; send the request again.' });
});
