import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPolicyFolder } from './policy-folder.ts';

let base: string;
let folder: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'spanwise-policy-folder-'));
  folder = join(base, 'policies');
  await mkdir(folder);
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function put(path: string, content: string | Buffer = `# ${path}\n`): Promise<void> {
  await mkdir(dirname(join(base, path)), { recursive: true });
  await writeFile(join(base, path), content);
}

test('the YAML files of a folder by path, tests apart, content as it is', async () => {
  await put('policies/b/guardrails.yml', '\uFEFFkind: x\r\n');
  await put('policies/a.yaml');
  await put('policies/tests/deep/case.yaml');
  await put('policies/more/tests/policy.yaml');
  for (const path of ['.git/a.yaml', '.hidden.yaml', 'node_modules/a.yaml', 'readme.md', 'a.YAML']) await put(`policies/${path}`);
  const { policies, tests } = await readPolicyFolder(folder);
  expect(policies).toEqual([
    { path: 'a.yaml', content: '# policies/a.yaml\n' },
    { path: 'b/guardrails.yml', content: '\uFEFFkind: x\r\n' },
    { path: 'more/tests/policy.yaml', content: '# policies/more/tests/policy.yaml\n' },
  ]);
  expect(tests.map(({ path }) => path)).toEqual(['tests/deep/case.yaml']);
});

test('links: to a file of the folder; not to folders; never outside', async () => {
  await put('policies/.data/real.yaml', 'inside: true\n');
  await put('outside/secret.yaml');
  await symlink(join(folder, '.data/real.yaml'), join(folder, 'link.yaml'));
  await symlink(folder, join(folder, 'loop'));
  await symlink(join(base, 'outside'), join(folder, 'away'));
  expect((await readPolicyFolder(folder)).policies).toEqual([{ path: 'link.yaml', content: 'inside: true\n' }]);
  await symlink(join(base, 'outside/secret.yaml'), join(folder, 'steal.yaml'));
  await expect(readPolicyFolder(folder)).rejects.toThrow('steal.yaml is a link that leads outside of the folder');
});

test.each([
  ['bytes that are not UTF-8', () => put('policies/a.yaml', Buffer.from([0x61, 0xff])), 'a.yaml is not UTF-8'],
  ['a large file', () => put('policies/a.yaml', '#'.repeat(256 * 1024 + 1)), 'a.yaml has more than 256 KiB'],
  ['a link to nothing', () => symlink('nowhere', join(folder, 'a.yaml')), 'a.yaml cannot be read (ENOENT)'],
  ['a link to a folder with the name of a file', () => symlink('.', join(folder, 'a.yaml')), 'a.yaml is not a file'],
  [
    'too many files',
    async () => {
      for (let index = 0; index <= 200; index += 1) await put(`policies/${index}.yaml`, '');
    },
    'more than 200 YAML files',
  ],
])('%s are refused', async (_, make, expected) => {
  await make();
  await expect(readPolicyFolder(folder)).rejects.toThrow(expected);
});

test('a folder that is not there is refused', async () => {
  await expect(readPolicyFolder(join(base, 'missing'))).rejects.toThrow('cannot be read (ENOENT)');
});
