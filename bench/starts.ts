import { setTimeout as delay } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, temporaryDataDirectory } from '../test/support/service.ts';
import type { Figure } from './figure.ts';
import { residentMegabytes, startProgram } from './processes.ts';

/** Time of a start and memory of the idle service, compared with the two embedded engines alone (`bare-engines.mjs`). */
export async function benchStarts(rounds: number): Promise<Figure[]> {
  const directory = await temporaryDataDirectory();
  const bareDirectory = await mkdtemp(join(tmpdir(), 'spanwise-bare-'));
  const startBare = () => startProgram(join(import.meta.dirname, 'bare-engines.mjs'), [bareDirectory]);
  try {
    const cold = await timed(() => startService({ dataDirectory: directory.path }));
    await cold.result.stop('SIGTERM');
    (await startBare()).child.kill('SIGTERM');
    const ratios: number[] = [];
    const warm: number[] = [];
    const memory: number[] = [];
    const held: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const bare = await timed(startBare);
      const service = await timed(() => startService({ dataDirectory: directory.path }));
      ratios.push(service.ms / bare.ms);
      warm.push(service.ms);
      await delay(3_000);
      const resident = residentMegabytes(service.result.child.pid);
      memory.push(resident / residentMegabytes(bare.result.child.pid));
      held.push(resident);
      bare.result.child.kill('SIGTERM');
      await service.result.stop('SIGTERM');
    }
    return [
      { title: 'ready on storage that exists ÷ opening bare chDB and PGlite', values: ratios, unit: '', wanted: { most: 1.5 } },
      { title: '– ready on storage that exists', values: warm, unit: 'ms', wanted: { most: 3000 } },
      { title: '– ready on empty storage', values: [cold.ms], unit: 'ms', wanted: { most: 10_000 } },
      { title: 'resident memory, idle ÷ bare chDB and PGlite', values: memory, unit: '', wanted: { most: 1.3 } },
      { title: '– resident memory, idle', values: held, unit: 'MB', wanted: { most: 700 } },
    ];
  } finally {
    await directory.remove();
    await rm(bareDirectory, { recursive: true, force: true });
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now();
  const result = await work();
  return { result, ms: performance.now() - started };
}
