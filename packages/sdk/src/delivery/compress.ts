import type { Channel } from './channel.ts';
import type { LineBatch } from './line-queue.ts';
import { copyTexts } from './slabs.ts';

/** A body as it is sent, with what its encoding needs. */
export interface EncodedBody {
  body: Uint8Array<ArrayBuffer>;
  headers: Readonly<Record<string, string>>;
}

type Bytes = Uint8Array<ArrayBuffer>;
type Gzip = (bytes: Bytes, done: (error: Error | null, body: Bytes) => void) => void;

interface Platform {
  process?: { getBuiltinModule?(name: string): { gzip?: Gzip } | undefined };
}

/** Writes bodies, one at a time, compressed where the service and the platform can: in another thread. */
export class BodyWriter {
  /** What is compressed; used again, so that the garbage collector need not run for it. */
  #scratch: Bytes = new Uint8Array(0);

  async write({ channel, lines, bytes }: LineBatch): Promise<EncodedBody> {
    const most = bytes + lines.length + channel.frame.join('').length;
    const compress = channel.takesGzip ? compressor() : undefined;
    if (!compress) return { body: bodyOf(channel, lines, new Uint8Array(most)), headers: {} };
    if (this.#scratch.length < most) this.#scratch = new Uint8Array(most);
    return { body: await compress(bodyOf(channel, lines, this.#scratch)), headers: { 'content-encoding': 'gzip' } };
  }
}

/** The beginning of a block with the body in it. */
function bodyOf({ frame: [before, between, after] }: Channel, lines: LineBatch['lines'], target: Bytes): Bytes {
  const encoder = new TextEncoder();
  const { written } = encoder.encodeInto(before, target);
  const texts = lines.map(({ text }) => text);
  const end = copyTexts(texts, between.charCodeAt(0), target, written);
  return target.subarray(0, end + encoder.encodeInto(after, target.subarray(end)).written);
}

function compressor(): ((bytes: Bytes) => Promise<Bytes>) | undefined {
  if (typeof CompressionStream === 'undefined') return undefined;
  // A stream of the platform takes three times the time of the application's thread. Without an import, which browsers would not find.
  const gzip = (globalThis as Platform).process?.getBuiltinModule?.('zlib')?.gzip;
  if (!gzip) return compressStream;
  return (bytes) =>
    new Promise((resolve, reject) => {
      gzip(bytes, (error, body) => (error ? reject(error) : resolve(body)));
    });
}

async function compressStream(bytes: Bytes): Promise<Bytes> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
