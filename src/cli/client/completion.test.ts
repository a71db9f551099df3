import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { runClient } from './command-io.fixture.ts';

const runProgram = promisify(execFile);

async function scriptOf(shell: string): Promise<string> {
  const { code, output } = await runClient(['completion', shell]);
  expect(code).toBe(0);
  return output;
}

/** Whether this machine has a shell. */
const has = (shell: string) =>
  runProgram(shell, ['-c', 'true']).then(
    () => true,
    () => false,
  );

describe('bash', async () => {
  const script = await scriptOf('bash');
  /** Candidates for the last word. */
  const completed = async (words: readonly string[]): Promise<string[]> => {
    const given = ['spanwise', ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const asked = `set -u\n${script}\nCOMP_WORDS=(${given})\nCOMP_CWORD=${words.length}\n_spanwise\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await runProgram('bash', ['-c', asked]);
    return stdout.split('\n').filter((line) => line !== '');
  };

  test('is a script', async () => {
    await runProgram('bash', ['-n', '-c', script]);
  });

  test.each([
    [['tr'], ['traces', 'trace']],
    [
      ['policy', ''],
      ['init', 'test', 'validate', 'plan', 'apply', 'pull'],
    ],
    [['policy', 'plan', '--de'], ['--detailed-exitcode']],
    [['policy', 'plan', '--project', 'policy', '--detailed'], ['--detailed-exitcode']],
    [
      ['traces', '--status', ''],
      ['ok', 'error'],
    ],
    [['traces', '--status', '=', 'er'], ['error']],
    [
      ['traces', '--status', '='],
      ['ok', 'error'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['--ver'], ['--version']],
    // Files are completed by the shell.
    [['verify-pack', ''], []],
    [['gate', 'x', '--junit', ''], []],
    // What was typed is not evaluated.
    [['traces', '--q', '$(exit 7)', '--sta'], ['--status']],
    [['traces', '--status', '$(exit 7)'], []],
  ])('%j', async (words, expected) => {
    expect((await completed(words)).filter((candidate) => candidate !== 'help')).toEqual(expected);
  });
});

for (const [shell, check] of [
  ['zsh', ['-n', '-c']],
  ['fish', ['--no-execute', '-c']],
] as const) {
  describe(shell, async () => {
    const script = await scriptOf(shell);

    test('names commands, options and values', () => {
      for (const part of ['detailed-exitcode', 'verify-pack', "'ok", 'error']) expect(script).toContain(part);
    });

    test.skipIf(!(await has(shell)))('is a script', async () => {
      await runProgram(shell, [...check, script]);
    });
  });
}

test('as JSON, and for no other shell', async () => {
  const { output } = await runClient(['completion', 'fish', '--json']);
  expect(JSON.parse(output)).toEqual({ shell: 'fish', script: expect.stringContaining('complete -c spanwise') });
  expect(await runClient(['completion', 'tcsh'])).toMatchObject({ code: 2, errors: expect.stringContaining('bash, zsh, fish') });
});
