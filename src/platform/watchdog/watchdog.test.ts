import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Silence } from './silence.ts';

test.each(['waits', 'loops'])('a process whose main thread %s for ever ends by itself, and says why', (way) => {
  const { signal, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'stuck.fixture.ts'), way], {
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGTERM',
  });
  expect(stdout).toBe('stands still\n');
  expect(signal).toBe('SIGALRM');
  expect(stderr).toMatch(/^spanwise: the main thread has not answered for [\d.]+ s; the process is ended\./m);
});

test('a process whose main thread has nothing to do ends without the watchdog', () => {
  const { status, signal } = spawnSync(process.execPath, [join(import.meta.dirname, 'stuck.fixture.ts'), 'ends'], {
    timeout: 60_000,
    killSignal: 'SIGTERM',
  });
  expect([status, signal]).toEqual([0, null]);
});

test('silence is counted in looks, and each beat ends it', () => {
  const silence = new Silence();
  const looks = [5, 5, 5, 6, 6, 7, 7, 7].map((beats) => silence.look(beats));
  expect(looks).toEqual([0, 1, 2, 0, 1, 0, 1, 2]);
});
