/** A text that arrives in pieces. */
export type TextSource = AsyncIterable<string> | ReadableStream<string> | Iterable<string>;

/** The pieces of a source. When the consumer stops, the source is cancelled. Errors: those of the source; TypeError for what is no source, or a piece that is no text. */
export async function* piecesOf(source: TextSource): AsyncGenerator<string, void, undefined> {
  if (typeof source === 'string') {
    yield source;
    return;
  }
  for await (const piece of iterable(source)) {
    if (typeof piece !== 'string')
      throw new TypeError(
        'guard.stream takes pieces of text; decode bytes with a TextDecoderStream, and take the text out of chunks.',
      );
    yield piece;
  }
}

function iterable(source: TextSource): AsyncIterable<string> | Iterable<string> {
  if (typeof source === 'object' && source !== null) {
    if (Symbol.asyncIterator in source || Symbol.iterator in source) return source;
    // Not every browser iterates over a ReadableStream.
    if (typeof (source as Partial<ReadableStream>).getReader === 'function') return read(source);
  }
  throw new TypeError('guard.stream takes a text or its pieces: a ReadableStream, or anything that for await reads.');
}

async function* read(stream: ReadableStream<string>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
