import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryDataDirectory } from '../test/support/service.ts';
import { isMet, median, tableOf } from './figure.ts';
import type { Figure } from './figure.ts';
import { benchIngestion } from './ingestion.ts';
import { describeMachine } from './machine.ts';
import { benchPromptFetch } from './prompts.ts';
import { benchStarts } from './starts.ts';
import { benchUnderLoad } from './under-load.ts';

// `npm run bench`: ratios, each denominator measured in the same run on the same cores. `--quick` takes smaller samples and stays under two
// minutes on a quiet machine, `--only NAME` measures one part (see `parts`), `--spans N` sets how many the large tables hold, `--json FILE` also writes the figures there.

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    spans: { type: 'string' },
    json: { type: 'string' },
  },
});
const { quick } = options;
const largeTables = Number(options.spans ?? (quick ? 300_000 : 10_000_000));
/** Spans a second into ClickHouse, when that was not measured before. */
let sustained = 10_000;

const parts: Record<string, () => Promise<Figure[]>> = {
  starts: () => benchStarts(quick ? 1 : 5),
  ingestion: async () => {
    const figures = await benchIngestion(
      quick ? { rounds: 2, bodies: 60, singles: 2_000, probes: 20 } : { rounds: 5, bodies: 300, singles: 15_000, probes: 100 },
    );
    sustained = median(figures.find(({ title }) => title === '– written')?.values ?? [sustained]);
    return figures;
  },
  storage: () => program('storage-program.ts', quick ? [1, 32] : [5, 128]),
  reads: async () => {
    const directory = await temporaryDataDirectory();
    try {
      const figures = await program('large-tables-program.ts', [directory.path, largeTables, quick ? 10 : 60]);
      return [...figures, await benchUnderLoad(directory.path, sustained / 2, quick ? 10 : 60)];
    } finally {
      await directory.remove();
    }
  },
  prompts: async () => {
    const { ratios, perSecond } = await benchPromptFetch({ rounds: quick ? 2 : 4, seconds: quick ? 2 : 6 });
    return [
      { title: 'prompt fetch ÷ bare Fastify route, same bytes', values: ratios, unit: '', wanted: { least: 0.5 } },
      { title: '– prompts, best round', values: [perSecond], unit: 'a second' },
    ];
  },
};

const machine = describeMachine();
const { cores, processor, memoryGiB, kernel, node, load } = machine;
console.log(
  `${cores} cores, ${processor}, ${memoryGiB} GiB, Linux ${kernel}, Node ${node}, load ${load.toFixed(1)}${quick ? ', quick' : ''}`,
);
if (load > cores) console.log('Other work is running: every time is too long, and ratios are less certain.');
const started = performance.now();
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (options.only !== undefined && options.only !== name) continue;
  process.stderr.write(`${name} ...\n`);
  figures.push(...(await measure()));
}
console.log(`\n${tableOf(figures)}\n\n${Math.round((performance.now() - started) / 1000)} s`);
if (options.json !== undefined) {
  const told = figures.map((figure) => ({ ...figure, median: median(figure.values), met: isMet(figure) }));
  await writeFile(options.json, `${JSON.stringify({ machine, quick, figures: told }, null, 2)}\n`);
}
process.exit(0);

/** Figures of a program of this folder that needs a process of its own. */
function program(file: string, parameters: readonly number[] | readonly [string, ...number[]]): Promise<Figure[]> {
  const child = fork(join(import.meta.dirname, file), parameters.map(String), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Figure[]));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
}
