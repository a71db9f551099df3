import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { advice, DataDirectoryError, openDataDirectory } from './data-directory.ts';
import { fullDiskError } from './full-disk.ts';

const program = join(import.meta.dirname, 'open-directory.fixture.ts');
const nobody = 65_534;

let root: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'spanwise-directory-'));
  path = join(root, 'data');
});

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null && child.signalCode === null) await kill(child);
  await rm(root, { recursive: true, force: true });
});

/** A process that tries to lock the directory, and the line that it printed. @param user that it becomes before it tries */
async function contender(user?: number): Promise<{ child: ChildProcess; line: string }> {
  const given = user === undefined ? [] : [String(user)];
  const child = spawn(process.execPath, [program, path, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, line };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test('a second process is refused with the name of the owner, and opens the directory when the owner was killed', async () => {
  const owner = await contender();
  expect(owner.line).toBe(`owner ${path}`);
  const second = await contender();
  expect(second.line).toMatch(
    /^refused the data directory .* is in use by process \d+ on .+, running since \d{4}-\d\d-\d\dT[\d:.]+Z; stop that/,
  );
  expect(second.line).toContain(`process ${owner.child.pid} on`);

  await kill(owner.child);
  expect((await contender()).line).toBe(`owner ${path}`);
});

test('of processes that start at once exactly one owns the directory', async () => {
  const lines = (await Promise.all([contender(), contender(), contender(), contender()])).map(({ line }) => line.split(' ')[0]);
  expect(lines.toSorted()).toEqual(['owner', 'refused', 'refused', 'refused']);
});

test('a directory whose restore was not finished is refused, until it is emptied', async () => {
  const begun = await openDataDirectory(path, { restoring: true });
  await begun.close();
  await expect(openDataDirectory(path)).rejects.toThrow(
    /restore into the data directory .* was not finished; empty it and restore again/,
  );
  await expect(openDataDirectory(path, { restoring: true })).rejects.toThrow(DataDirectoryError);
  await rm(path, { recursive: true });
  const whole = await openDataDirectory(path, { restoring: true });
  whole.restored();
  await whole.close();
  await (await openDataDirectory(path)).close();
});

test('one process cannot open a directory twice, and can open it again once it is closed', async () => {
  const first = await openDataDirectory(path);
  await expect(openDataDirectory(path)).rejects.toThrow(`in use by process ${process.pid}`);
  // The attempt must not release the owner's lock.
  expect((await contender()).line).toContain(`in use by process ${process.pid}`);
  await first.close();
  await first.close();
  const second = await openDataDirectory(path);
  await second.close();
  expect((await contender()).line).toBe(`owner ${path}`);
});

test('the directory is created with mode 0700, and every start deletes its temporary files', async () => {
  const first = await openDataDirectory(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect((await readdir(path)).toSorted()).toEqual(['owner.json', 'owner.lock', 'tmp']);
  await mkdir(join(first.temporary, 'left'));
  await writeFile(join(first.temporary, 'left', 'over'), 'x');
  await first.close();
  const second = await openDataDirectory(path);
  await expect(stat(join(second.temporary, 'left'))).rejects.toThrow('ENOENT');
  expect(second).toMatchObject({
    postgres: join(path, 'postgres'),
    clickhouse: join(path, 'clickhouse'),
    wal: join(path, 'wal'),
  });
  await second.close();
});

test('the secret is created once with mode 0600 and is the same after a restart', async () => {
  const first = await openDataDirectory(path);
  const secret = first.secretKey();
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(first.secretKey()).toBe(secret);
  expect((await stat(join(path, 'secret.key'))).mode & 0o777).toBe(0o600);
  await first.close();
  const second = await openDataDirectory(path);
  expect(second.secretKey()).toBe(secret);
  await second.close();
});

test('a damaged secret is an error and is not replaced', async () => {
  const directory = await openDataDirectory(path);
  await writeFile(join(path, 'secret.key'), '');
  expect(() => directory.secretKey()).toThrow(DataDirectoryError);
  expect(() => directory.secretKey()).toThrow('restore it from a backup');
  expect(await readFile(join(path, 'secret.key'), 'utf8')).toBe('');
  await directory.close();
});

test('a path that is a file, or under one, is refused with an instruction', async () => {
  await writeFile(path, '');
  await expect(openDataDirectory(path)).rejects.toThrow(/cannot be used \(EEXIST\); something else has this name/);
  await expect(openDataDirectory(join(path, 'data'))).rejects.toThrow(/cannot be used \(ENOTDIR\)/);
});

test('a directory that the user cannot write is refused with an instruction', async () => {
  await mkdir(path);
  await chmod(root, 0o755);
  await chmod(path, 0o555);
  // root may write everywhere.
  const { line } = await contender(process.getuid?.() === 0 ? nobody : undefined);
  expect(line).toMatch(
    /^refused the data directory .* cannot be used \(.+\); make it writable for the user that runs the service$/,
  );
});

test('a full disk has its own message', () => {
  expect(advice(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toBe('its disk is full: free some space');
  expect(advice(Object.assign(new Error('full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }))).toBe(
    'its disk is full: free some space',
  );
});

test('a directory that others may enter is set to 0700, and what the process makes in it is readable by its user alone', async () => {
  await mkdir(path, { mode: 0o755 });
  await chmod(path, 0o755);
  const directory = await openDataDirectory(path);
  expect(directory.mode).toEqual({ was: '0755', isPrivate: true, fault: null });
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await directory.close();
  const again = await openDataDirectory(path);
  expect(again.mode).toBeNull();
  // As an engine does that names no permissions.
  await writeFile(join(path, 'part'), '');
  expect((await stat(join(path, 'part'))).mode & 0o077).toBe(0);
  await again.close();
});

test.runIf(process.getuid?.() === 0)('a directory whose mode cannot be set is used, and says why it stays open', async () => {
  await mkdir(path);
  await chmod(path, 0o777);
  await chmod(root, 0o755);
  const module = join(import.meta.dirname, 'private-mode.ts');
  const script = `import { makePrivate } from ${JSON.stringify(module)};
    process.setuid(${nobody});
    console.log(JSON.stringify(makePrivate(${JSON.stringify(path)})))`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({ was: '0777', isPrivate: false, fault: 'EPERM' });
});

test('a failure without space names the disk; any other is left as it is', async () => {
  const directory = await openDataDirectory(path);
  const inside = new Error('cannot open', {
    cause: Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
  });
  expect(fullDiskError(path, inside)?.message).toMatch(
    new RegExp(`^the disk of the data directory ${path} is full \\(ENOSPC, .*free some space`),
  );
  expect(fullDiskError(path, new Error('a fault of another kind'))).toBeNull();
  await directory.close();
});
