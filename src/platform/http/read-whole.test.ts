import { PassThrough, Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { ByteBudget } from '../budgets/index.ts';
import { readWhole } from './read-whole.ts';
import { smallPieces } from './small-pieces.fixture.ts';

const busy = () => new ServiceError('unavailable', 'Send this again.', { retryAfterSeconds: 1 });
const request = (
  bodyLimit: number,
  headers: Record<string, string> = {},
  bodyBudget = new ByteBudget({ total: 1_000_000 }, busy),
) => ({ headers, ip: '127.0.0.1', routeOptions: { bodyLimit }, server: { bodyBudget } }) as unknown as FastifyRequest;
const pieces = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)));

test('reads a body up to the limit of the route', async () => {
  expect(String(await readWhole(request(10), pieces('01234', '56789')))).toBe('0123456789');
  const error = expect.objectContaining({ code: 'payload_too_large' }) as unknown;
  await expect(readWhole(request(9), pieces('01234', '56789'))).rejects.toEqual(error);
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
  await expect(readWhole(request(9), payload)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a body that the budget has no bytes for is read to its end and refused', async () => {
  const budget = new ByteBudget({ total: 12 }, busy);
  const first = request(10, {}, budget);
  await readWhole(first, pieces('01234'));
  const payload = pieces('01234', '56789');
  await expect(readWhole(request(10, {}, budget), payload)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  expect(payload.readableEnded).toBe(true);
  first.heldBody?.release();
});
