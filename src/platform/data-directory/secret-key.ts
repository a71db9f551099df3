import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const form = /^[0-9a-f]{64}$/;

/**
 * The secret in a file, 32 random bytes in hex. It is made when there is none, and is then on disk under its name or not there at all:
 * what was encrypted with half a secret could never be read again.
 *
 * Errors: those of the file system, and a `RangeError` when the file holds something else.
 */
export function secretKeyIn(file: string): string {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (!form.test(secret)) throw new RangeError('it does not hold 64 hexadecimal digits');
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(32).toString('hex');
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
  syncDirectory(dirname(file));
  return secret;
}

/** Makes the names in a directory durable. */
function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
