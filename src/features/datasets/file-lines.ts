import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import { GatheredBytes } from '../../platform/http/index.ts';
import { encodingOf, unknownFormat } from './file-format.ts';
import type { FileFormat } from './file-format.ts';
import { importError } from './import-error.ts';
import { maxImportBytes } from '../../contract/limits.ts';

/** Maximum size of a line, and of a row of a CSV file: an item with every character escaped. */
export const maxLineBytes = 8 * 1_048_576;

/** A nonempty line. */
export interface FileLine {
  /** Line number from 1; empty lines count. */
  number: number;
  /** Text without the line feed; a carriage return before it is kept. */
  text: string;
}

const lineFeed = 10;
/** Bytes; smaller pieces of the file are put together. */
const leastBytes = 16_384;
/** Maximum lines in one batch. */
const maxLines = 10_000;

/**
 * Streams the lines of an uploaded file in batches (UTF-8, UTF-16 or, where the format allows it, Windows-1252; docs/semantics.md, "Dataset files"), without a byte order mark at the beginning and without empty lines. Yields to the
 * event loop after each batch. When the consumer stops early, the rest is read from the connection and discarded.
 *
 * Errors: `payload_too_large` past 64 MiB; `invalid_request` for a line over 8 MiB or in no encoding, with its number, and for an aborted body.
 *
 * @param format is told the encoding
 */
export async function* fileLines(file: Readable, format: FileFormat = unknownFormat(false)): AsyncGenerator<FileLine[]> {
  const lines = new Lines(format);
  try {
    for await (const chunk of inUtf8(chunksOf(file), format)) {
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

/** Splits chunks into lines. */
class Lines {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #number = 0;
  readonly #format: FileFormat;
  /** Whether a line had characters that other encodings write otherwise. */
  #isUtf8 = false;

  constructor(format: FileFormat) {
    this.#format = format;
  }

  /** The lines that end in this chunk. Lines before an invalid one are returned before its error is thrown. */
  *of(chunk: Buffer): Generator<FileLine[]> {
    let batch: FileLine[] = [];
    let start = this.#skipEmpty(chunk, 0);
    try {
      for (let end = chunk.indexOf(lineFeed, start); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        batch.push(this.#line(chunk.subarray(start, end)));
        start = this.#skipEmpty(chunk, end + 1);
        if (batch.length < maxLines) continue;
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

  /** The last line, if no line feed ends it. */
  rest(): FileLine[] {
    return this.#pendingBytes === 0 ? [] : [this.#line(Buffer.alloc(0))];
  }

  /** The offset of the next nonempty line. */
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
    if (this.#pendingBytes > maxLineBytes) throw tooLong(this.#number + 1);
  }

  #decoded(bytes: Buffer): string {
    if (this.#format.encoding === 'windows-1252') return this.#windows(bytes);
    const text = this.#number === 1 ? behindMark(bytes) : bytes;
    try {
      const decoded = this.#decoder.decode(text);
      if (decoded.length < bytes.length) this.#isUtf8 = true;
      return decoded;
    } catch {
      if (!this.#format.mayBeWindows || this.#isUtf8 || this.#format.encoding !== 'utf-8')
        throw importError({ line: this.#number }, 'is not UTF-8');
      const decoded = this.#windows(bytes);
      this.#format.encoding = 'windows-1252';
      return decoded;
    }
  }

  #windows(bytes: Buffer): string {
    if (bytes.some((byte) => unassigned.has(byte)))
      throw importError({ line: this.#number }, 'is neither UTF-8 nor Windows-1252');
    return windows1252.decode(bytes);
  }
}

const windows1252 = new TextDecoder('windows-1252');
/** Bytes that stand for no character in Windows-1252. */
const unassigned: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** The bytes of a file as UTF-8: those of UTF-16 are written anew, others are left as they are. */
async function* inUtf8(chunks: AsyncIterable<Buffer>, format: FileFormat): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isFirst = true;
  const decoded = (chunk?: Buffer): Buffer => {
    try {
      return Buffer.from(decoder?.decode(chunk, { stream: chunk !== undefined }) ?? '');
    } catch {
      throw new ServiceError(
        'invalid_request',
        `The file is not ${format.encoding.toUpperCase()} to its end; save it as UTF-8. Nothing was imported.`,
      );
    }
  };
  for await (const chunk of chunks) {
    if (isFirst) {
      format.encoding = encodingOf(chunk);
      if (format.encoding !== 'utf-8') decoder = new TextDecoder(format.encoding, { fatal: true });
      isFirst = false;
    }
    yield decoder === null ? chunk : decoded(chunk);
  }
  if (decoder !== null) yield decoded();
}

/** The text without the byte order mark that some editors write. */
function behindMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

async function* chunksOf(file: Readable): AsyncGenerator<Buffer> {
  let total = 0;
  const gathered = new GatheredBytes();
  try {
    for await (const piece of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      total += piece.length;
      if (total > maxImportBytes) {
        throw new ServiceError(
          'payload_too_large',
          `The file has more than ${maxImportBytes / 1_048_576} MiB; divide it and import the parts. Nothing was imported.`,
        );
      }
      gathered.add(piece);
      if (gathered.length >= leastBytes) yield gathered.take();
    }
    if (gathered.length > 0) yield gathered.take();
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('invalid_request', 'The body ended early; send the file again.', { cause: error });
  }
}

function tooLong(number: number): ServiceError {
  return importError({ line: number }, `has more than ${maxLineBytes / 1_048_576} MiB`);
}
