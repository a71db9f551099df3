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

/**
 * A stream of JSON text that has a list, as {@link jsonStream}.
 *
 * @param opening the text before the first member, with the bracket
 * @param groups members as JSON texts; each group is sent in one piece
 * @param ending gives the text after the last member, with the bracket; called when all members are produced
 */
export function jsonList(
  opening: string,
  groups: AsyncIterable<readonly string[]>,
  ending: () => string | Promise<string>,
): Promise<Readable> {
  return jsonStream(listPieces(opening, groups, ending));
}

async function* listPieces(
  opening: string,
  groups: AsyncIterable<readonly string[]>,
  ending: () => string | Promise<string>,
): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const members of groups) {
    if (members.length === 0) continue;
    yield (isEmpty ? opening : ',') + members.join(',');
    isEmpty = false;
  }
  yield (isEmpty ? opening : '') + (await ending());
}
