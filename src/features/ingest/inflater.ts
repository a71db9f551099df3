import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
} from 'node:zlib';
import { ServiceError } from '../../contract/errors.ts';
import { mostInflatedBytes, tooLarge } from './body.ts';
import { inflateStream, TooMuch } from './inflate-stream.ts';
import type { Decoder } from './inflate-stream.ts';

/** Larger than the pool of Buffer: each piece of output has memory of its own, which can be given back. */
const chunkSize = 131_072;
/** Most output that is made at once, on this thread. */
const mostAtOnce = 1_048_576;
/** A zstd body may be several frames behind one another. */
const mostFrames = 64;

interface Encoding {
  open(body: Buffer): Decoder;
  /** What may stand behind the end: nothing, more frames (node:zlib reads the first one alone), or what zlib itself judges. */
  behind: 'nothing' | 'frames' | 'zlib';
}

const gzip: Encoding = { open: () => createGunzip({ chunkSize }), behind: 'zlib' };
const encodings: ReadonlyMap<string, Encoding> = new Map<string, Encoding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  // RFC 9110 means zlib's format by this name; some clients send the bare stream.
  [
    'deflate',
    { open: (body) => (isZlib(body) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })), behind: 'nothing' },
  ],
  ['br', { open: () => createBrotliDecompress({ chunkSize }), behind: 'nothing' }],
  ['zstd', { open: () => createZstdDecompress({ chunkSize }), behind: 'frames' }],
]);

/**
 * Inflates bodies. A bomb costs no more than the limit: inflating stops there, and what was made is given back at once rather than left
 * to the garbage collector, which would let several of them add up.
 *
 * What an exporter sends (gzip, at most 1 MB inflated by its own account) is inflated on this thread, which then takes a third of the
 * time that handing it to the thread pool costs this thread. Everything else takes turns, so that only one such body is half
 * inflated at any time.
 */
export class Inflater {
  readonly #mostWaiting: number;
  #waiting = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param mostWaiting bodies that wait for their turn; a further one is refused */
  constructor(mostWaiting = 200) {
    this.#mostWaiting = mostWaiting;
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
      return (encoding === gzip ? inflateSmall(body) : null) ?? (await this.#inTurn(() => inflateWhole(body, encoding)));
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      if (cause instanceof TooMuch) throw tooLarge('inflated');
      throw new ServiceError('invalid_request', `The body is not valid ${name}; send it as its content-encoding says.`, {
        cause,
      });
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#mostWaiting) {
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

/** Inflates gzip that says of itself that it is small; null when it does not, or does and is not. */
function inflateSmall(body: Buffer): Buffer | null {
  const size = body.length < 18 ? 0 : body.readUInt32LE(body.length - 4);
  if (size > mostAtOnce) return null;
  try {
    return gunzipSync(body, { maxOutputLength: mostAtOnce, chunkSize: Math.max(size, 1023) + 1 });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

async function inflateWhole(body: Buffer, { open, behind }: Encoding): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  let rest = body;
  do {
    if (parts.length === mostFrames) throw new Error(`the body has more than ${mostFrames} frames`);
    const { bytes, used } = await inflateStream(open(rest), rest, mostInflatedBytes - total);
    parts.push(bytes);
    total += bytes.length;
    rest = rest.subarray(used);
    if (behind === 'nothing' && rest.length > 0) throw new Error('something stands behind the end of the compressed body');
  } while (behind === 'frames' && rest.length > 0);
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, total);
}

function isZlib(body: Buffer): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
