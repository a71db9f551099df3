import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from './durable-file.ts';

const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The permanent UUID of a directory's log, created when it is missing.
 *
 * Errors: when the file is damaged. The id is part of every deduplication token, so it is never replaced.
 */
export async function readLogId(directory: string): Promise<string> {
  const file = join(directory, 'log-id');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) {
    const id = randomUUID();
    await writeDurably(file, Buffer.from(`${id}\n`));
    return id;
  }
  const id = text.trim();
  if (!pattern.test(id))
    throw new Error(`${file} does not hold the id of a log; put it back from a backup, or remove it to have a new one made`);
  return id;
}
