import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDataDirectory } from '../test/support/service.ts';

test('an argument ends the start with an error that names it', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--port', '3000'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^spanwise takes no arguments when it starts the service, but was given: --port 3000\. /);
});

test('a process that does not stop in time is killed, also while ClickHouse runs a statement', async () => {
  const directory = await temporaryDataDirectory();
  const { signal, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'kill-after.fixture.ts'), directory.path], {
    encoding: 'utf8',
    timeout: 30_000,
    killSignal: 'SIGTERM',
  });
  await directory.remove();
  expect(signal).toBe('SIGKILL');
  expect(stdout).toMatch(/^the service did not stop in time and is killed/);
});
