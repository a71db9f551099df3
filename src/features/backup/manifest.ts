import { createHash } from 'node:crypto';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hashFile, syncPath } from '../../platform/files/index.ts';

/** A relative path that stays inside the backup. */
const path = z.string().refine((text) => /^[^/\0]+(\/[^/\0]+)*$/.test(text) && !text.split('/').includes('..'));
const count = z.number().int().min(0);

const manifestSchema = z.strictObject({
  format: z.literal(1),
  madeAt: z.string(),
  /** `embedded`: all stores. `servers`: only the write-ahead log and the secret key. */
  stores: z.enum(['embedded', 'servers']),
  versions: z.record(z.string(), z.string()),
  /** Whether the backup contains `secret.key`, or the operator sets SPANWISE_SECRET_KEY. */
  secretKey: z.enum(['included', 'environment']),
  /** Rows by table. */
  postgres: z.record(z.string(), count),
  clickhouse: z.array(z.strictObject({ name: z.string().regex(/^\w+$/), create: z.string(), rows: count })),
  directories: z.array(path),
  files: z.array(z.strictObject({ path, bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});
export type Manifest = z.output<typeof manifestSchema>;

/** A backup that failed or cannot be restored. The message says why and what to do. */
export class BackupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'BackupError';
  }
}

const manifestFile = 'manifest.json';
const sumFile = 'manifest.json.sha256';

/** Writes the manifest, as the last file: a directory without it is no complete backup. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  // The format of sha256sum.
  await writeFile(join(directory, sumFile), `${sha256(text)}  ${manifestFile}\n`, { mode: 0o600, flush: true });
  const unfinished = join(directory, `${manifestFile}.new`);
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(directory, manifestFile));
  await syncPath(directory);
}

/**
 * Reads the manifest of a backup and verifies every file.
 *
 * Errors: {@link BackupError} for a directory that is no complete backup, and for the first damaged or missing file.
 */
export async function readWholeBackup(directory: string): Promise<Manifest> {
  const text = await readOrRefuse(directory, manifestFile);
  const sum = await readOrRefuse(directory, sumFile);
  if (!sum.startsWith(`${sha256(text)} `)) throw damaged(manifestFile, 'its checksum is wrong');
  const manifest = manifestSchema.safeParse(JSON.parse(text));
  if (!manifest.success) {
    throw new BackupError(`${directory} was made by another version of Spanwise; restore it with that version`, manifest.error);
  }
  for (const { path: file, bytes, sha256: wanted } of manifest.data.files) {
    const found = await hashFile(join(directory, file)).catch((error: NodeJS.ErrnoException) => {
      throw damaged(file, error.code === 'ENOENT' ? 'it is missing' : `it cannot be read (${error.code ?? error.message})`);
    });
    if (found.bytes !== bytes) throw damaged(file, `it has ${found.bytes} bytes, not ${bytes}`);
    if (found.sha256 !== wanted) throw damaged(file, 'its checksum is wrong');
  }
  return manifest.data;
}

async function readOrRefuse(directory: string, file: string): Promise<string> {
  return readFile(join(directory, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(
      `${directory} is no whole backup: ${file} cannot be read (${error.code ?? error.message}); take another backup`,
      error,
    );
  });
}

function damaged(file: string, what: string): BackupError {
  return new BackupError(`the backup is damaged: ${file}: ${what}; nothing was restored, take another backup`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
