import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { smallPieces } from '../../platform/http/small-pieces.fixture.ts';
import { readBody as readUpTo } from './body.ts';

const maxWireBytes = 1_048_576;
const readBody = (payload: Readable, contentLength: string | undefined, hold: (bytes: number) => void) =>
  readUpTo(payload, contentLength, maxWireBytes, hold);
const noLimit = () => undefined;

describe('readBody', () => {
  test('reads a body in any number of chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }), async (pieces) => {
        const whole = Buffer.concat(pieces);
        const chunks = pieces.map((piece) => Buffer.from(piece));
        expect((await readBody(Readable.from(chunks, { objectMode: false }), String(whole.length), noLimit))?.equals(whole)).toBe(
          true,
        );
      }),
      { numRuns: 50 },
    );
  });

  test('a body of 1 MiB, and one of a byte more', async () => {
    const stream = (bytes: number) => Readable.from([Buffer.alloc(bytes - 1), Buffer.alloc(1)]);
    expect(await readBody(stream(maxWireBytes), undefined, noLimit)).toHaveLength(maxWireBytes);
    expect(await readBody(stream(maxWireBytes + 1), undefined, noLimit)).toBeNull();
  });

  test('keeps few of many small pieces', async () => {
    const body = await readBody(smallPieces('a'.repeat(5_000)), undefined, noLimit);
    expect(body?.toString()).toBe('a'.repeat(5_000));
  });

  test('rejects by content-length without reading', async () => {
    const payload = new PassThrough();
    expect(await readBody(payload, String(maxWireBytes + 1), noLimit)).toBeNull();
    expect(payload.readableFlowing).toBeNull();
  });

  test('rejects as soon as the limit is exceeded, keeps nothing, and discards the rest', async () => {
    const payload = new PassThrough();
    const read = readBody(payload, undefined, noLimit);
    payload.write(Buffer.alloc(maxWireBytes + 1));
    expect(await read).toBeNull();
    for (let more = 0; more < 100; more++) {
      payload.write(Buffer.alloc(1_048_576));
      await turn();
    }
    expect(payload.readableLength).toBe(0);
  });

  test('holds memory for the bytes that arrive, and discards the rest once there is none', async () => {
    const payload = new PassThrough();
    const held: number[] = [];
    const read = readBody(payload, '300000', (bytes) => {
      if (held.length === 2) throw new Error('no memory');
      held.push(bytes);
    });
    for (const bytes of [10, 20, 100_000, 100_000]) payload.write(Buffer.alloc(bytes));
    await expect(read).rejects.toThrow('no memory');
    await turn();
    expect(held).toEqual([10, 20]);
    expect(payload.readableLength).toBe(0);
  });

  test('fails when the connection closes within the body', async () => {
    const payload = createReadStream('/nonexistent');
    await expect(readBody(payload, undefined, noLimit)).rejects.toThrow('ENOENT');
  });
});
