// `npm run test:nightly [-- step ...]`: what takes too long for each change. Property tests with many random cases and new seeds on all stores (`random`), the fault tests
// with every step and many rounds, and rounds of faults under load (`faults`), and the browser tests again and again beside other load (`browser`; ROUNDS, 20 by default). Every step runs, also after a failure.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const root = join(import.meta.dirname, '..');
const rounds = Number(process.env['ROUNDS'] ?? 20);
/** Threads that keep a core busy while the browser tests run. */
const load = 4;

const steps: Readonly<Record<string, () => Promise<string[]>>> = {
  random: async () => failed('random', await run('test/run-on-servers.ts', [], { SPANWISE_TEST_NIGHTLY: '1' })),
  faults: async () => [
    ...failed('fault tests', await run('test/faults/run.ts', [], { SPANWISE_TEST_NIGHTLY: '1' })),
    ...failed('faults', await run('test/faults/run.ts', ['--rounds', String(rounds)])),
  ],
  browser: async () => {
    const threads = Array.from({ length: load }, () => new Worker('for (;;);', { eval: true }));
    const failures: string[] = [];
    for (let round = 1; round <= rounds; round++) {
      const vitest = ['run', '--config', 'test/e2e/vitest.config.ts'];
      failures.push(...failed(`browser, round ${round}`, await run('node_modules/vitest/vitest.mjs', vitest)));
    }
    await Promise.all(threads.map((thread) => thread.terminate()));
    return failures;
  },
};

function failed(step: string, exitCode: number): string[] {
  return exitCode === 0 ? [] : [step];
}

/** Runs a program of the repository and resolves with its exit code. */
function run(program: string, parameters: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const child = spawn(process.execPath, [join(root, program), ...parameters], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const given = process.argv.slice(2);
const unknown = given.filter((step) => !Object.hasOwn(steps, step));
if (unknown.length > 0) {
  process.stderr.write(`test:nightly: takes some of ${Object.keys(steps).join(', ')}, not ${unknown.join(', ')}\n`);
  process.exit(2);
}
const failures: string[] = [];
for (const [step, work] of Object.entries(steps))
  if (given.length === 0 || given.includes(step)) failures.push(...(await work()));
process.stdout.write(failures.length === 0 ? '\nEverything passed.\n' : `\nFailed: ${failures.join('; ')}\n`);
process.exit(failures.length === 0 ? 0 : 1);
