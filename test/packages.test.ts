import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const text = (...path: string[]) => readFile(join(root, ...path), 'utf8');

const names = ['guardrails', 'sdk'] as const;
/** A project of a user with the packed packages installed. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'spanwise-packed-'));
  const workspaces = names.map((name) => `--workspace=packages/${name}`);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project, ...workspaces], { cwd: root });
  const packed = JSON.parse(stdout) as ReadonlyArray<{ name: string; filename: string }>;
  expect(packed.map(({ name }) => name)).toEqual(names.map((name) => `@spanwise/${name}`));
  for (const { name, filename } of packed) {
    const folder = join(project, 'node_modules', name);
    await mkdir(folder, { recursive: true });
    await run('tar', ['-xzf', join(project, filename), '--strip-components=1', '-C', folder]);
  }
  for (const library of ['re2js', 'libphonenumber-js']) {
    await symlink(join(root, 'node_modules', library), join(project, 'node_modules', library));
  }
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function execute(file: string, source: string): Promise<string> {
  await writeFile(join(project, file), source);
  return (await run(process.execPath, [join(project, file)], { cwd: project })).stdout;
}

describe.each(names)('@spanwise/%s, packed', (name) => {
  test('has its built files, types, README and licence, and no sources', async () => {
    const { stdout } = await run('find', ['.', '-type', 'f'], { cwd: join(project, 'node_modules/@spanwise', name) });
    expect(stdout.trim().split('\n').toSorted()).toEqual(
      ['LICENSE', 'README.md', 'dist/index.cjs', 'dist/index.d.cts', 'dist/index.d.ts', 'dist/index.js', 'package.json'].map(
        (file) => `./${file}`,
      ),
    );
    expect(await text('packages', name, 'LICENSE')).toBe(await text('LICENSE'));
  });

  test('gives the same to import and require', async () => {
    const imported = await execute(
      'import.mjs',
      `import * as all from '@spanwise/${name}'; console.log(Object.keys(all).join());`,
    );
    const required = await execute('require.cjs', `console.log(Object.keys(require('@spanwise/${name}')).sort().join());`);
    const sources = (await import(`../packages/${name}/src/index.ts`)) as object;
    expect(imported.trim()).toBe(Object.keys(sources).toSorted().join());
    expect(required).toBe(imported);
  });

  test('is typed for both, without Node and without a platform library', async () => {
    const use =
      name === 'sdk'
        ? "import { encodeEvent, type SpanEvent } from '@spanwise/sdk';\nexport const line: string = encodeEvent({} as SpanEvent).line;\n"
        : "import { compilePatterns } from '@spanwise/guardrails';\nexport const start: number | undefined = compilePatterns([{ pattern: 'a' }]).find('a').matches[0]?.start;\n";
    const wrong = `${use}// @ts-expect-error\nexport const wrong: boolean = ${name === 'sdk' ? 'line' : 'start'};\n`;
    await writeFile(join(project, 'use.mts'), wrong);
    await writeFile(join(project, 'use.cts'), wrong);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022', '--types', ''];
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, 'use.mts', 'use.cts'], {
      cwd: project,
    });
  });

  test('the example of the README runs', async () => {
    const readme = await text('packages', name, 'README.md');
    const example = /```js\n([^]*?)```/.exec(readme)?.[1] ?? '';
    const sent = 'globalThis.fetch = async (url, { body }) => console.log(url, JSON.parse(body).name);\n';
    const printed = await execute('example.mjs', `${sent}${example}`);
    if (name === 'sdk') expect(printed).toBe('http://127.0.0.1:4318/v1/ingest chat\n');
    else expect(example.replaceAll(/^\/\/ /gm, '')).toContain(printed);
  });
});
