import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** Builds the dashboard if it is missing or outdated. Vitest's global set-up: runs once for all files. */
export default async function buildDashboard(): Promise<void> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(root, 'scripts/build-dashboard.mjs')], {
    cwd: root,
  });
  process.stdout.write(stdout + stderr);
}
