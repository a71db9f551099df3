import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import { buffer, text as streamText } from 'node:stream/consumers';
import {
  brotliCompressSync,
  constants,
  crc32,
  createBrotliCompress,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { defaultLimits } from '../../features/ingest/ingest-limits.ts';
import { Inflater } from './inflater.ts';

const text = Buffer.from('what was sent, '.repeat(1000));
const compressors: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: zstdCompressSync,
};
const { inflatedBytes: maxInflatedBytes, wireBytes: maxWireBytes } = defaultLimits;
const inflater = new Inflater(maxInflatedBytes);

/** The inflated bytes, or the error's code. */
async function inflated(body: Buffer, encoding: string | undefined, by = inflater): Promise<Buffer | string> {
  try {
    return await by.inflate(body, encoding);
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

test.each([undefined, '', 'identity', ' Identity '])('leaves a body encoded %o as it is', async (encoding) => {
  expect(await inflated(text, encoding)).toBe(text);
});

test.each(['compress', 'gzip, br', 'toString', '__proto__'])('refuses the encoding %o', async (encoding) => {
  expect(await inflated(text, encoding)).toBe('unsupported_media_type');
});

describe.each(Object.entries(compressors))('%s', (encoding, compress) => {
  test('is read for any content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (bytes) => {
        expect(Buffer.from(bytes).equals((await inflater.inflate(compress(Buffer.from(bytes)), encoding)) as Uint8Array)).toBe(
          true,
        );
      }),
      { numRuns: 50 },
    );
  });

  test('is read when it is large, in many pieces', async () => {
    const large = Buffer.from(Array.from({ length: 300_000 }, (_, index) => `${index},`).join(''));
    expect(large.equals((await inflated(compress(large), encoding)) as Buffer)).toBe(true);
  });

  test('is rejected when it is truncated at any byte', async () => {
    const whole = compress(text);
    for (let length = 0; length < whole.length; length++) {
      expect(await inflated(whole.subarray(0, length), encoding)).toBe('invalid_request');
    }
  });

  test('random bytes are rejected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const result = await inflated(Buffer.from(bytes), encoding);
        expect(result instanceof Buffer || result === 'invalid_request').toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('is rejected with bytes behind its end', async () => {
    expect(await inflated(Buffer.concat([compress(text), Buffer.from('and more')]), encoding)).toBe('invalid_request');
    const large = compress(Buffer.alloc(3_000_000));
    expect(await inflated(Buffer.concat([large, Buffer.from('and more')]), encoding)).toBe('invalid_request');
  });

  test('16 MiB are accepted, one byte more is not', async () => {
    expect(await inflated(compress(Buffer.alloc(maxInflatedBytes)), encoding)).toHaveLength(maxInflatedBytes);
    expect(await inflated(compress(Buffer.alloc(maxInflatedBytes + 1)), encoding)).toBe('payload_too_large');
  });
});

describe.each(['gzip', 'zstd'])('%s of several members', (encoding) => {
  const compress = compressors[encoding] ?? gzipSync;

  test('is read as one', async () => {
    const body = Buffer.concat([compress(Buffer.from('one')), compress(Buffer.alloc(0)), compress(Buffer.from('two'))]);
    expect((await inflated(body, encoding)).toString()).toBe('onetwo');
  });

  test('is read as one when they are large', async () => {
    const body = Buffer.concat([
      compress(Buffer.alloc(3_000_000, 'a')),
      compress(Buffer.from('b')),
      compress(Buffer.alloc(2_000_000, 'c')),
    ]);
    const whole = (await inflated(body, encoding)) as Buffer;
    expect([whole.length, whole.indexOf('b'), whole.indexOf('c')]).toEqual([5_000_001, 3_000_000, 3_000_001]);
  });

  test('the limit applies to all members together', async () => {
    const half = compress(Buffer.alloc(maxInflatedBytes / 2));
    expect(await inflated(Buffer.concat([half, half]), encoding)).toHaveLength(maxInflatedBytes);
    expect(await inflated(Buffer.concat([half, half, compress(Buffer.from('x'))]), encoding)).toBe('payload_too_large');
  });
});

test('gzip padded with zeros is read, as gzip itself does', async () => {
  expect(text.equals((await inflated(Buffer.concat([gzipSync(text), Buffer.alloc(100)]), 'gzip')) as Buffer)).toBe(true);
});

test('gzip that declares a smaller size than it has', async () => {
  const body = gzipSync(Buffer.alloc(maxInflatedBytes * 2));
  body.writeUInt32LE(10, body.length - 4);
  expect(await inflated(body, 'gzip')).toBe('payload_too_large');
});

test('deflate is read without the header of zlib', async () => {
  expect(text.equals((await inflated(deflateRawSync(text), 'deflate')) as Buffer)).toBe(true);
});

test('the number of zstd frames is limited', async () => {
  const frame = zstdCompressSync(Buffer.alloc(0));
  expect(await inflated(Buffer.concat(Array.from({ length: 65 }, () => frame)), 'zstd')).toBe('invalid_request');
});

test('bodies are inflated one at a time, and too many waiting bodies are rejected', async () => {
  const narrow = new Inflater(maxInflatedBytes, 3);
  const body = compressors['br']?.(text) ?? text;
  const bad = Buffer.from('nonsense');
  const results = await Promise.all([body, bad, body, body].map((each) => inflated(each, 'br', narrow)));
  expect(results.map((result) => (typeof result === 'string' ? result : result.length))).toEqual([
    text.length,
    'invalid_request',
    text.length,
    'unavailable',
  ]);
  expect(await inflated(body, 'br', narrow)).toHaveLength(text.length);
});

const mb = 1_048_576;
const zeros = Buffer.alloc(16 * mb);

/** `count` times 16 MiB of zeros in gzip, each followed by a flush, so that one compressed block can be repeated. */
function gzipBombOf(times: number): Buffer {
  const block = deflateRawSync(zeros, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: times }, () => block);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(
    blocks.reduce((sum) => crc32(zeros, sum), 0),
    0,
  );
  trailer.writeUInt32LE(times * zeros.length, 4);
  const header = gzipSync('').subarray(0, 10);
  return Buffer.concat([header, ...blocks, deflateRawSync(''), trailer]);
}

function bomb(compressor: Duplex): Promise<Buffer> {
  return buffer(Readable.from(Array.from({ length: 64 }, () => zeros)).pipe(compressor));
}

/** The bombs, and the memory in MB that eight in a row may cost. */
const bombs: Array<[encoding: string, maxMb: number, make: () => Promise<Buffer>]> = [
  ['gzip', 32, () => Promise.resolve(gzipBombOf(64))],
  // The largest windows. The decoder owns their memory, and each pool thread keeps it.
  ['zstd', 48, () => bomb(createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 27 } }))],
  [
    'br',
    128,
    () => bomb(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 24 } })),
  ],
];

test('the gzip bomb is gzip', () => {
  // The checksum at the end is verified.
  expect(gunzipSync(gzipBombOf(2))).toHaveLength(2 * zeros.length);
});

test.each(bombs)(
  'bombs of 1 GiB, %s: each fits into a request, and eight in a row cost less than %i MB',
  async (encoding, maxMb, make) => {
    const body = await make();
    expect(body.length).toBeLessThanOrEqual(maxWireBytes);
    const child = spawn(process.execPath, [join(import.meta.dirname, 'inflate-bomb.fixture.ts'), encoding], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '4' },
    });
    const closed = once(child, 'close');
    child.stdin.end(body);
    const told = JSON.parse(await streamText(child.stdout)) as { codes: string[]; grown: number };
    expect(await closed).toEqual([0, null]);
    expect(told.codes).toEqual(['payload_too_large']);
    expect(told.grown).toBeGreaterThan(0);
    expect(told.grown).toBeLessThan(maxMb * mb);
  },
);
