import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryDataDirectory } from '../test/support/service.ts';
import prepareStoreTemplates from '../test/support/store-templates.ts';
import { isMet, median, tableOf } from './figure.ts';
import type { Figure } from './figure.ts';
import { benchGuardrails } from './guardrails.ts';
import { benchIngestion } from './ingestion.ts';
import { describeMachine } from './machine.ts';
import { benchPromptFetch } from './prompts.ts';
import { benchSdk } from './sdk.ts';
import { benchSimulations } from './simulations.ts';
import { benchStarts } from './starts.ts';
import { benchUnderLoad } from './under-load.ts';

// `npm run bench`: mostly ratios, whose denominator is measured in the same run on the same cores.
//   --quick      smaller samples: under two minutes on an idle machine
//   --only NAME  one part; the names are those of `parts`, and of the part `reads`: models, replaced, graph, alerts, backfill
//   --spans N    spans in the large tables
//   --data DIR   keeps the large tables there, and does not fill them again in a later run of a part of `reads`
//   --json FILE  also writes the figures to a file

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    spans: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'string' },
  },
});
const { quick } = options;
// Programs of the parts open copies of them.
prepareStoreTemplates();
const largeTables = Number(options.spans ?? (quick ? 300_000 : 10_000_000));
/** Spans a second written to ClickHouse; this default applies when `ingestion` did not run. */
let sustained = 10_000;

/** Parts of `reads`; the last one only by its name. */
const partsOfReads = ['models', 'replaced', 'graph', 'alerts', 'backfill'];

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
  reads: () =>
    withLargeTables(async (directory) => {
      const figures = await program('large-tables-program.ts', [directory, largeTables, quick ? 10 : 60]);
      return [...figures, await benchUnderLoad(directory, sustained / 2, quick ? 10 : 60)];
    }),
  prompts: async () => {
    const { ratios, perSecond } = await benchPromptFetch({ rounds: quick ? 2 : 4, seconds: quick ? 2 : 6 });
    return [
      { title: 'prompt fetch ÷ bare Fastify route, same bytes', values: ratios, unit: '', wanted: { least: 0.5 } },
      { title: '– prompts, best round', values: [perSecond], unit: 'a second' },
    ];
  },
  simulations: () => benchSimulations(quick ? { rounds: 2, items: 2_000 } : { rounds: 4, items: 10_000 }),
  sdk: () => benchSdk(quick ? { rounds: 2, windows: 20, seconds: 3 } : { rounds: 5, windows: 60, seconds: 5 }),
  search: () => program('search-program.ts', quick ? [200_000, 5] : [10_000_000, 20]),
  gate: () => program('gate-program.ts', quick ? [20_000, 1] : [100_000, 3]),
  guardrails: () => benchGuardrails(quick ? { rounds: 2, seconds: 2 } : { rounds: 4, seconds: 6 }),
  evidence: () => program('evidence-program.ts', quick ? [20_000, 2] : [100_000, 5]),
};

const machine = describeMachine();
const { cores, processor, memoryGiB, kernel, node, load } = machine;
console.log(
  `${cores} cores, ${processor}, ${memoryGiB} GiB, Linux ${kernel}, Node ${node}, load ${load.toFixed(1)}${quick ? ', quick' : ''}`,
);
if (load > cores) console.log('Other programs are running: times are too long and ratios less certain.');
const started = performance.now();
const figures: Figure[] = [];
const { only } = options;
if (only !== undefined && partsOfReads.includes(only)) {
  const parameters = [largeTables, quick ? 10 : 60, only] as const;
  figures.push(...(await withLargeTables((directory) => program('large-tables-program.ts', [directory, ...parameters]))));
}
for (const [name, measure] of Object.entries(parts)) {
  if (only !== undefined && only !== name) continue;
  process.stderr.write(`${name} ...\n`);
  figures.push(...(await measure()));
}
console.log(`\n${tableOf(figures)}\n\n${Math.round((performance.now() - started) / 1000)} s`);
if (options.json !== undefined) {
  const rows = figures.map((figure) => ({ ...figure, median: median(figure.values), met: isMet(figure) }));
  await writeFile(options.json, `${JSON.stringify({ machine, quick, figures: rows }, null, 2)}\n`);
}
process.exit(0);

/** Gives a data directory for the large tables: that of `--data`, or one that is removed afterwards. */
async function withLargeTables(work: (directory: string) => Promise<Figure[]>): Promise<Figure[]> {
  if (options.data !== undefined) return work(options.data);
  const directory = await temporaryDataDirectory();
  try {
    return await work(directory.path);
  } finally {
    await directory.remove();
  }
}

/** Runs a program of this folder in a child process and returns the figures that it sends. */
function program(file: string, parameters: ReadonlyArray<string | number>): Promise<Figure[]> {
  const child = fork(join(import.meta.dirname, file), parameters.map(String), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Figure[]));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
}
