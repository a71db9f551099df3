import type { Readable } from 'node:stream';
import { ServiceError } from '../../contract/errors.ts';
import { importError } from './import-error.ts';

/** Largest file that is imported. */
export const mostFileBytes = 64 * 1_048_576;
/** Longest line, and longest row of a CSV file: an item with everything escaped. */
export const mostLineBytes = 8 * 1_048_576;

export interface FileLine {
  /** Counted from 1. */
  number: number;
  /** Without its line feed; a carriage return before that is still there. */
  text: string;
}

const lineFeed = 10;

/**
 * The lines of a file that is being sent, as UTF-8; a byte order mark at its beginning is left out. When it is not read to its end the rest
 * is taken off the connection all the same.
 *
 * Errors: `payload_too_large` past 64 MB; `invalid_request`, naming the line, for one over 8 MB or that is not UTF-8, and for a body that breaks
 * off.
 */
export async function* fileLines(file: Readable): AsyncGenerator<FileLine> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let number = 0;
  const take = (last: Buffer): FileLine => {
    number += 1;
    const bytes = pending.length === 0 ? last : Buffer.concat([...pending, last]);
    pending = [];
    pendingBytes = 0;
    return { number, text: decoded(bytes, number) };
  };
  try {
    for await (const chunk of chunksOf(file)) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        if (pendingBytes + end - start > mostLineBytes) throw tooLong(number + 1);
        yield take(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start === chunk.length) continue;
      pending.push(chunk.subarray(start));
      pendingBytes += chunk.length - start;
      if (pendingBytes > mostLineBytes) throw tooLong(number + 1);
    }
    if (pendingBytes > 0) yield take(Buffer.alloc(0));
  } finally {
    file.resume();
  }
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

function decoded(bytes: Buffer, number: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: number > 1 }).decode(bytes);
  } catch {
    throw importError({ line: number }, 'is not UTF-8');
  }
}

function tooLong(number: number): ServiceError {
  return importError({ line: number }, `has more than ${mostLineBytes / 1_048_576} MB`);
}
