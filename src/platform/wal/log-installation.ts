import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from './durable-file.ts';

/** The file of a log's directory that names the installation that the log belongs to. */
export const installationFile = 'installation';

/** The id of the installation that a log belongs to; null where none has taken it yet. Errors: those of the file system. */
export async function readLogInstallation(directory: string): Promise<string | null> {
  try {
    return (await readFile(join(directory, installationFile), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Makes a log that of an installation, durably. Errors: those of the file system. */
export async function writeLogInstallation(directory: string, id: string): Promise<void> {
  await writeDurably(join(directory, installationFile), Buffer.from(`${id}\n`));
}
