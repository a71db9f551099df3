import { fork, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDataDirectory } from '../../support/service.ts';
import { canCompileLayer, DiskLayerLibrary, operations, parts } from '../layer/disk-layer.ts';

const program = join(import.meta.dirname, 'insert-once.fixture.ts');

/** Inserts while the write after the first `skip` fails once. */
async function insertWithFailure(library: DiskLayerLibrary, dataDirectory: string, code: 'EIO' | 'ENOSPC', skip: number) {
  const layer = library.layer(dataDirectory);
  const child = fork(program, [dataDirectory], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', ...layer.environment({ journaled: false }) },
  });
  const messages: string[] = [];
  child.on('message', (message) => messages.push(String(message)));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => child.once('message', resolve));
  layer.set({ error: { parts: parts.clickhouse, operations: operations.write, code, skip, count: 1 } });
  child.send('go');
  const exitCode = await ended;
  const failed = layer.injected() > 0;
  layer.close();
  return { failed, exitCode, refusals: messages.slice(1) };
}

// The engine reports success for an insert of which a write failed (ADR 0018).
test.runIf(canCompileLayer())(
  'an insert in which a write failed is refused, and there after a restart once it has been repeated',
  { timeout: 300_000 },
  async () => {
    const library = new DiskLayerLibrary();
    const temporary = await temporaryDataDirectory();
    let failures = 0;
    try {
      for (let skip = 0; ; skip++) {
        const dataDirectory = join(temporary.path, String(skip));
        mkdirSync(dataDirectory);
        const code = skip % 2 === 0 ? 'EIO' : 'ENOSPC';
        const { failed, exitCode, refusals } = await insertWithFailure(library, dataDirectory, code, skip);
        if (!failed) break;
        failures += 1;
        expect({ exitCode, refusals: refusals.length }, `${code} after ${skip} writes`).toEqual({ exitCode: 0, refusals: 1 });
        const { stdout, stderr } = spawnSync(process.execPath, [program, dataDirectory, 'read'], { encoding: 'utf8' });
        expect(stdout.trim(), `read after a restart, ${code} after ${skip} writes\n${stderr}`).toBe('1');
      }
    } finally {
      library.close();
      await temporary.remove();
    }
    expect(failures).toBeGreaterThan(5);
  },
);
