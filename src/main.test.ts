import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('an argument ends the start with an error that names it', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--port', '3000'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^spanwise takes no arguments when it starts the service, but was given: --port 3000\. /);
});
