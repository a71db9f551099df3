import type { Transform } from 'node:stream';
import { giveBack } from './give-back.ts';

/** A stream of node:zlib, which says how much of its input it has used. */
export type Decoder = Transform & { bytesWritten: number };

/** The output is larger than it may be. */
export class TooMuch extends Error {}

/**
 * Inflates a body, or the part of it that a decoder takes for one.
 * Rejects with {@link TooMuch} past `most` bytes of output, with the decoder's error otherwise.
 */
export function inflateStream(decoder: Decoder, body: Buffer, most: number): Promise<{ bytes: Buffer; used: number }> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let total = 0;
    decoder.on('data', (piece: Buffer) => {
      pieces.push(piece);
      total += piece.length;
      if (total <= most) return;
      decoder.destroy();
      giveBackWhole(pieces);
      reject(new TooMuch());
    });
    decoder.on('end', () => {
      const only = pieces.length === 1 ? pieces[0] : undefined;
      resolve({ bytes: only ?? Buffer.concat(pieces, total), used: decoder.bytesWritten });
      if (!only) giveBackWhole(pieces);
    });
    decoder.on('error', (error) => {
      giveBackWhole(pieces);
      reject(error);
    });
    decoder.end(body);
  });
}

/**
 * Gives back pieces that fill their memory: into the rest of another one the decoder, which works in a thread of its own, may still write.
 */
function giveBackWhole(pieces: Buffer[]): void {
  for (const piece of pieces.splice(0)) if (piece.byteLength === piece.buffer.byteLength) giveBack(piece);
}
