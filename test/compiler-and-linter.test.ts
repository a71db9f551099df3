import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// What the compiler and the linter refuse, beside the layers of architecture.test.ts: proved on planted files.

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

test.each([
  ['guardrails', ['fetch', 'TextEncoder', 'document', 'setTimeout']],
  ['sdk', ['document', 'window', 'localStorage']],
])('the compiler knows nothing of Node in packages/%s, nor %j', async (name, others) => {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-package-'));
  const names = ['process', 'Buffer', '__dirname', '__filename', 'require', 'global', 'setImmediate', ...others];
  try {
    const config = { extends: join(root, 'packages', name, 'tsconfig.json'), include: ['planted.ts'] };
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(
      join(directory, 'planted.ts'),
      ["export * from 'node:fs';", ...names.map((one) => `void ${one};`), 'void Math;'].join('\n'),
    );
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const ended = await run(process.execPath, [compiler, '-p', directory, '--pretty', 'false']).then(
      () => ({ stdout: '' }),
      (error: unknown) => error as { stdout: string },
    );
    const lines = [...ended.stdout.matchAll(/planted\.ts\((\d+),\d+\): error TS/g)].map((match) => Number(match[1]));
    expect(lines, ended.stdout).toEqual(['node:fs', ...names].map((_, index) => index + 1));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test('oxlint, with the configuration of this repository, finds a cycle of files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-lint-'));
  try {
    for (const file of ['.oxlintrc.json', 'tsconfig.json']) await cp(join(root, file), join(directory, file));
    const files = {
      'src/contract/one.ts': "import { two } from './two.ts';\n\nexport const one = (): number => two();\n",
      'src/contract/two.ts': "import { one } from './one.ts';\n\nexport const two = (): number => one();\n",
      'src/contract/three.ts': 'export const three = (value: any): unknown => value;\n',
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
    const ended = await run(
      process.execPath,
      [join(root, 'node_modules/oxlint/bin/oxlint'), '--deny-warnings', '--format=json'],
      { cwd: directory },
    ).then(
      () => null,
      (error: unknown) => error as { code: number; stdout: string },
    );
    expect(ended?.code).toBe(1);
    expect(ended?.stdout).toContain('no-cycle');
    expect(ended?.stdout).toContain('no-explicit-any');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
