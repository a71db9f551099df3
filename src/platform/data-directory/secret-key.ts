import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const form = /^[0-9a-f]{64}$/;

/**
 * Reads the secret, 32 random bytes in hex, from a file, which is created atomically when it is missing, since data encrypted with a truncated secret
 * could not be decrypted.
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

/** Syncs a directory, so that its entries are durable. */
function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
