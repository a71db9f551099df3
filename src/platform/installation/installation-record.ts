import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const schema = z.object({
  id: z.string(),
  /** Where the stores were at the last start. */
  postgres: z.enum(['embedded', 'server']),
  clickhouse: z.enum(['embedded', 'server']),
  /** Whether the secret was in `secret.key` or in the environment. */
  secret: z.enum(['file', 'environment']),
});

/** What a data directory, next to its `secret.key`, knows of the installation that it belongs to. */
export type InstallationRecord = z.output<typeof schema>;

const fileName = 'installation.json';

/** The record of a data directory; null where it has none, as before its first start, after a restore, or when the file is damaged: it is made again. */
export function readInstallationRecord(dataDirectory: string): InstallationRecord | null {
  try {
    return schema.parse(JSON.parse(readFileSync(join(dataDirectory, fileName), 'utf8')));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Writes the record durably, unless it is there already. Errors: those of the file system. */
export function writeInstallationRecord(dataDirectory: string, record: InstallationRecord): void {
  const file = join(dataDirectory, fileName);
  const text = `${JSON.stringify(record)}\n`;
  if (JSON.stringify(readInstallationRecord(dataDirectory)) === text.trimEnd()) return;
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  const directory = openSync(dirname(file), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
