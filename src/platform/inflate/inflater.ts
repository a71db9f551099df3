import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
} from 'node:zlib';
import { ServiceError } from '../../contract/errors.ts';
import { bodyTooLarge } from './body-too-large.ts';
import { inflateStream, TooMuch } from './inflate-stream.ts';
import type { Decoder } from './inflate-stream.ts';

/** Larger than Buffer's pool: each chunk of output has its own memory, which can be released. */
const chunkSize = 131_072;
/** Maximum output, in bytes, that is inflated synchronously on this thread. */
const maxAtOnce = 1_048_576;
/** Maximum frames of a zstd body. */
const maxFrames = 64;

interface Encoding {
  open(body: Buffer): Decoder;
  /** What may follow the stream: nothing, further frames (node:zlib reads only the first), or whatever zlib accepts. */
  behind: 'nothing' | 'frames' | 'zlib';
}

const gzip: Encoding = { open: () => createGunzip({ chunkSize }), behind: 'zlib' };
const encodings: ReadonlyMap<string, Encoding> = new Map<string, Encoding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  // RFC 9110 means the zlib format; some clients send raw deflate.
  [
    'deflate',
    { open: (body) => (isZlib(body) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })), behind: 'nothing' },
  ],
  ['br', { open: () => createBrotliDecompress({ chunkSize }), behind: 'nothing' }],
  ['zstd', { open: () => createZstdDecompress({ chunkSize }), behind: 'frames' }],
]);

/**
 * Inflates bodies. A bomb costs at most the limit: inflating stops there, and its memory is released at once instead of by the garbage
 * collector, which would let several bombs add up.
 *
 * A body as exporters send it (gzip, at most 1 MiB inflated by its trailer) is inflated on this thread, in a third of the time that passing it
 * to the thread pool takes this thread. Other bodies are inflated one at a time.
 */
export class Inflater {
  readonly #maxWaiting: number;
  readonly #maxBytes: number;
  #waiting = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param maxBytes of an inflated body
   * @param maxWaiting maximum waiting bodies; further ones are rejected
   */
  constructor(maxBytes: number, maxWaiting = 200) {
    this.#maxWaiting = maxWaiting;
    this.#maxBytes = maxBytes;
  }

  /**
   * Inflates a body as its `content-encoding` says.
   *
   * Errors: `unsupported_media_type` for another encoding, `payload_too_large` past the limit, `invalid_request` for bytes that do not
   * inflate, `unavailable` when too many wait.
   */
  async inflate(body: Buffer, contentEncoding: string | undefined): Promise<Buffer> {
    const name = (contentEncoding ?? '').trim().toLowerCase();
    if (name === '' || name === 'identity') return body;
    const encoding = encodings.get(name);
    if (!encoding) {
      throw new ServiceError(
        'unsupported_media_type',
        'Send the body with content-encoding gzip, deflate, br or zstd, or without one.',
      );
    }
    try {
      return (
        (encoding === gzip ? inflateSmall(body) : null) ??
        (await this.#inTurn(() => inflateWhole(body, encoding, this.#maxBytes)))
      );
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      if (cause instanceof TooMuch) throw bodyTooLarge('inflated', this.#maxBytes);
      throw new ServiceError('invalid_request', `The body is not valid ${name}; send it as its content-encoding says.`, {
        cause,
      });
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#maxWaiting) {
      throw new ServiceError('unavailable', 'The service has too many compressed bodies to read; send this again in a moment.', {
        retryAfterSeconds: 1,
      });
    }
    this.#waiting++;
    const result = this.#turn.then(work, work);
    this.#turn = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#waiting--;
    }
  }
}

/** Inflates gzip whose trailer declares a small size; null when it declares none or is larger. */
function inflateSmall(body: Buffer): Buffer | null {
  const size = body.length < 18 ? 0 : body.readUInt32LE(body.length - 4);
  if (size > maxAtOnce) return null;
  try {
    return gunzipSync(body, { maxOutputLength: maxAtOnce, chunkSize: Math.max(size, 1023) + 1 });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

async function inflateWhole(body: Buffer, { open, behind }: Encoding, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  let rest = body;
  do {
    if (parts.length === maxFrames) throw new Error(`the body has more than ${maxFrames} frames`);
    const { bytes, used } = await inflateStream(open(rest), rest, maxBytes - total);
    parts.push(bytes);
    total += bytes.length;
    rest = rest.subarray(used);
    if (behind === 'nothing' && rest.length > 0) throw new Error('the compressed body has trailing bytes');
  } while (behind === 'frames' && rest.length > 0);
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, total);
}

function isZlib(body: Buffer): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
