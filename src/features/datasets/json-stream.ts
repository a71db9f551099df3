import { Readable } from 'node:stream';

/**
 * A stream of JSON text from an iterator. The first piece is produced before this resolves, so that most errors occur while an error status
 * can still be sent.
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
