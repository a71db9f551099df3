import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'spanwise-test-';
const neededBytes = 4 * 2 ** 30;

/**
 * Keeps the temporary files of a test run in memory (vitest's global set-up), since both engines sync often: on /dev/shm when it has 4 GiB
 * free, else where `TMPDIR` says. Fault tests, which test syncs, use the disk.
 */
export default function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return;
  removeAbandoned();
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < neededBytes) return;
  const directory = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
  // One test runs as another user, which needs access to the directory.
  chmodSync(directory, 0o711);
  process.env['TMPDIR'] = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
}

/** Removes the files of runs that were killed. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}
