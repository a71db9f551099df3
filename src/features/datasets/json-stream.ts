import { Readable } from 'node:stream';

/**
 * A JSON text that is made as it is read, piece by piece. The first piece is made before this resolves, so that what can fail mostly
 * fails while an error can still be answered.
 */
export async function jsonStream(pieces: AsyncGenerator<string>): Promise<Readable> {
  const first = await pieces.next();
  return Readable.from(
    (async function* () {
      if (first.done !== true) yield first.value;
      yield* pieces;
    })(),
    { objectMode: false },
  );
}
