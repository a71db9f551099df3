import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const comparedReads = 'SPANWISE_TEST_COMPARED_READS';

/** Makes the directory in which the processes of a run note which reads were compared (both-ways.ts; vitest's global set-up). @returns its tear-down */
export default function noteComparedReads(): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'spanwise-compared-reads-'));
  process.env[comparedReads] = directory;
  return () => {
    process.stdout.write(`reads compared with bound parameters: ${readdirSync(directory).length}\n`);
    rmSync(directory, { recursive: true, force: true });
  };
}
