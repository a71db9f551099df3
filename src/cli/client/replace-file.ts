import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes beside a file and renames, so that it is never half written, and kept until all is written.
 *
 * @param write writes a file that is not there yet
 * Errors: of `write`, and of the system.
 */
export async function replaceFile(target: string, write: (temporary: string) => Promise<void>): Promise<void> {
  // Not the name with a suffix, which may be too long.
  const temporary = join(dirname(target), `.spanwise-${process.pid}`);
  try {
    await write(temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
