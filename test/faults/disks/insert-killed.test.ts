import { fork, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDataDirectory } from '../../support/service.ts';
import { canCompileLayer, DiskLayerLibrary, operations, parts } from '../layer/disk-layer.ts';

const program = join(import.meta.dirname, 'insert-once.fixture.ts');

/** Starts an insert that is killed before the nth change of a name; returns false when it ended earlier. */
async function killedAt(library: DiskLayerLibrary, dataDirectory: string, countdown: number): Promise<boolean> {
  const layer = library.layer(dataDirectory);
  const child = fork(program, [dataDirectory], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', ...layer.environment({ journaled: false }) },
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  await new Promise((resolve) => child.once('message', resolve));
  layer.set({ kill: { parts: parts.clickhouse, operations: operations.name, countdown, afterwards: false } });
  child.send('go');
  const signal = await ended;
  layer.close();
  return signal === 'SIGKILL';
}

// chDB records a block's deduplication token before it renames the part into place.
test.runIf(canCompileLayer())(
  'an insert that was killed on its way is there once it has been repeated',
  { timeout: 180_000 },
  async () => {
    const library = new DiskLayerLibrary();
    const temporary = await temporaryDataDirectory();
    let kills = 0;
    try {
      for (let countdown = 1; ; countdown++) {
        const dataDirectory = join(temporary.path, String(countdown));
        mkdirSync(dataDirectory);
        if (!(await killedAt(library, dataDirectory, countdown))) break;
        kills += 1;
        const { stdout, stderr } = spawnSync(process.execPath, [program, dataDirectory], { encoding: 'utf8' });
        expect(stdout.trim(), `repeated after a kill before change ${countdown} of a name\n${stderr}`).toBe('1');
      }
    } finally {
      library.close();
      await temporary.remove();
    }
    expect(kills).toBeGreaterThan(5);
  },
);
