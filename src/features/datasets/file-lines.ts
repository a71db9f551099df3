import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import { importError } from './import-error.ts';

/** Largest file that is imported. */
export const mostFileBytes = 64 * 1_048_576;
/** Longest line, and longest row of a CSV file: an item with everything escaped. */
export const mostLineBytes = 8 * 1_048_576;

/** A line that is not empty. */
export interface FileLine {
  /** Counted from 1, empty lines too. */
  number: number;
  /** Without its line feed; a carriage return before that is still there. */
  text: string;
}

const lineFeed = 10;
/** Most lines that are taken in one go. */
const mostLines = 10_000;

/**
 * The lines of a file that is being sent, as UTF-8 and in batches; a byte order mark at its beginning is left out, and so are empty lines. Others
 * get a turn after each batch. When the file is not read to its end the rest is taken off the connection all the same.
 *
 * Errors: `payload_too_large` past 64 MB; `invalid_request`, naming the line, for one over 8 MB or that is not UTF-8, and for a body that breaks
 * off.
 */
export async function* fileLines(file: Readable): AsyncGenerator<FileLine[]> {
  const lines = new Lines();
  try {
    for await (const chunk of chunksOf(file)) {
      for (const batch of lines.of(chunk)) {
        yield batch;
        await turn();
      }
    }
    yield lines.rest();
  } finally {
    file.resume();
  }
}

/** Cuts chunks into lines. */
class Lines {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #number = 0;

  /** The lines that end in this chunk; those before one that cannot be taken come before its error. */
  *of(chunk: Buffer): Generator<FileLine[]> {
    let batch: FileLine[] = [];
    let start = this.#skipEmpty(chunk, 0);
    try {
      for (let end = chunk.indexOf(lineFeed, start); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        batch.push(this.#line(chunk.subarray(start, end)));
        start = this.#skipEmpty(chunk, end + 1);
        if (batch.length < mostLines) continue;
        yield batch;
        batch = [];
      }
      this.#keep(chunk.subarray(start));
    } catch (error) {
      yield batch;
      throw error;
    }
    yield batch;
  }

  /** The last line, when no line feed ends it. */
  rest(): FileLine[] {
    return this.#pendingBytes === 0 ? [] : [this.#line(Buffer.alloc(0))];
  }

  /** Where the next line begins that is not empty. */
  #skipEmpty(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#pendingBytes === 0) while (chunk[at] === lineFeed) at++;
    this.#number += at - from;
    return at;
  }

  #line(last: Buffer): FileLine {
    this.#keep(last);
    this.#number += 1;
    const [first = last, ...more] = this.#pending;
    const bytes = more.length === 0 ? first : Buffer.concat([first, ...more]);
    this.#pending = [];
    this.#pendingBytes = 0;
    return { number: this.#number, text: this.#decoded(bytes) };
  }

  #keep(part: Buffer): void {
    if (part.length > 0) this.#pending.push(part);
    this.#pendingBytes += part.length;
    if (this.#pendingBytes > mostLineBytes) throw tooLong(this.#number + 1);
  }

  #decoded(bytes: Buffer): string {
    try {
      return this.#decoder.decode(this.#number === 1 ? behindMark(bytes) : bytes);
    } catch {
      throw importError({ line: this.#number }, 'is not UTF-8');
    }
  }
}

/** What stands behind a byte order mark, which some editors write. */
function behindMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

async function* chunksOf(file: Readable): AsyncGenerator<Buffer> {
  let total = 0;
  try {
    for await (const chunk of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > mostFileBytes) {
        throw new ServiceError(
          'payload_too_large',
          `The file has more than ${mostFileBytes / 1_048_576} MB; divide it and import the parts. Nothing was imported.`,
        );
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('invalid_request', 'The body broke off; send the file again.', { cause: error });
  }
}

function tooLong(number: number): ServiceError {
  return importError({ line: number }, `has more than ${mostLineBytes / 1_048_576} MB`);
}
