import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

interface Entry {
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const root = join(import.meta.dirname, '..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown;
const locked = (read('package-lock.json') as { packages: Record<string, Entry> }).packages;
/** What npm has installed on this machine. */
const installed = Object.keys((read('node_modules/.package-lock.json') as { packages: object }).packages);

test('every package that this machine installs has a checksum in the lockfile', () => {
  const outside = installed.filter((path) => !locked[path]?.link && !locked[path]?.integrity?.startsWith('sha512-'));
  expect(outside.filter((path) => path.startsWith('node_modules/'))).toEqual([]);
  expect(installed.length).toBeGreaterThan(300);
});

test('no package runs a script when it is installed', () => {
  const scripted = Object.keys(locked).filter((path) => locked[path]?.hasInstallScript);
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
  expect(scripted.map((path) => path.replace('node_modules/', '')).toSorted()).toEqual(Object.keys(allowScripts).toSorted());
  expect(Object.values(allowScripts)).not.toContain(true);
});

test.runIf(process.platform === 'linux')('the Node that runs this is a package of the lockfile', () => {
  const [folder, name] = relative(realpathSync(root), realpathSync(process.execPath)).split('/');
  expect(`${folder}/${name}`).toMatch(/^node_modules\/node-linux-\w+$/);
  expect(locked[`${folder}/${name}`]?.integrity).toMatch(/^sha512-/);
});
