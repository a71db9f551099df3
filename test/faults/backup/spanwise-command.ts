import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface CommandResult {
  code: number | null;
  output: string;
}

const program = join(import.meta.dirname, '../../../src/cli/main.ts');

/**
 * Runs a `spanwise` command.
 *
 * @param largestFileKb limit of the file size (`ulimit -f`), to simulate a full disk
 */
export function runCommand(
  parameters: readonly string[],
  { dataDirectory, largestFileKb }: { dataDirectory: string; largestFileKb?: number },
): Promise<CommandResult> {
  const limit = largestFileKb === undefined ? '' : `ulimit -f ${largestFileKb}; `;
  const child = spawn('bash', ['-c', `${limit}exec "$@"`, 'bash', process.execPath, program, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', UV_THREADPOOL_SIZE: '16', SPANWISE_DATA_DIR: dataDirectory },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
