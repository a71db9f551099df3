import { Readable } from 'node:stream';

/** A stream of one byte at a time. Each piece is overwritten once 300 more were read: who keeps the pieces of a body has other bytes. */
export function smallPieces(text: string): Readable {
  const pieces = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));
  return Readable.from(
    (function* () {
      for (const [index, piece] of pieces.entries()) {
        pieces[index - 300]?.fill('!');
        yield piece;
      }
    })(),
    { objectMode: false, highWaterMark: 1 },
  );
}
