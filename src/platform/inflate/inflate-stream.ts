import type { Transform } from 'node:stream';
import { releaseBuffer } from '../memory/release-buffer.ts';

/** A stream of node:zlib with the count of consumed input bytes. */
export type Decoder = Transform & { bytesWritten: number };

/** The output exceeds the limit. */
export class TooMuch extends Error {}

/**
 * Inflates a body, or its part up to the end that the decoder finds.
 * Rejects with {@link TooMuch} past `maxBytes` bytes of output, with the decoder's error otherwise.
 */
export function inflateStream(decoder: Decoder, body: Buffer, maxBytes: number): Promise<{ bytes: Buffer; used: number }> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let total = 0;
    decoder.on('data', (piece: Buffer) => {
      pieces.push(piece);
      total += piece.length;
      if (total <= maxBytes) return;
      decoder.destroy();
      releaseWhole(pieces);
      reject(new TooMuch());
    });
    decoder.on('end', () => {
      const only = pieces.length === 1 ? pieces[0] : undefined;
      resolve({ bytes: only ?? Buffer.concat(pieces, total), used: decoder.bytesWritten });
      if (!only) releaseWhole(pieces);
    });
    decoder.on('error', (error) => {
      releaseWhole(pieces);
      reject(error);
    });
    decoder.end(body);
  });
}

/**
 * Releases chunks that fill their buffer. The decoder's thread may still write into the rest of a partly filled buffer.
 */
function releaseWhole(pieces: Buffer[]): void {
  for (const piece of pieces.splice(0)) if (piece.byteLength === piece.buffer.byteLength) releaseBuffer(piece);
}
