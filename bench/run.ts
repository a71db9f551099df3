import { setTimeout as delay } from 'node:timers/promises';
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { startService, temporaryDataDirectory } from '../test/support/service.ts';
import type { Service } from '../test/support/service.ts';
import { drive, otlpBodies } from './load.ts';
import { benchModelDetail } from './model-detail.ts';
import { residentMegabytes, startProgram } from './processes.ts';
import { benchPromptFetch } from './prompts.ts';

// `npm run bench`: ratios, each denominator measured in the same run on the same cores. `--quick` takes smaller samples.

const quick = process.argv.includes('--quick');
const rounds = quick ? 2 : 4;
const secondsARound = quick ? 3 : 6;
const keysForLoad = 30;
const rows: Array<[figure: string, measured: string, wanted: string]> = [];

console.log(`${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}${quick ? ', quick' : ''}`);
await benchIngestion();
await benchModels(quick ? 100_000 : 1_000_000);
await benchPrompts();
const width = Math.max(...rows.map(([figure]) => figure.length));
for (const [figure, measured, wanted] of rows) console.log(`${figure.padEnd(width)}  ${measured.padStart(28)}  ${wanted}`);
process.exit(0);

async function benchIngestion(): Promise<void> {
  const directory = await temporaryDataDirectory();
  const cold = performance.now();
  const first = await startService({ dataDirectory: directory.path });
  rows.push(['ready on empty storage', seconds(cold), 'at most 10 s']);
  await first.stop('SIGTERM');
  const warm = performance.now();
  const service = await startService({ dataDirectory: directory.path });
  rows.push(['ready on storage that exists', seconds(warm), 'at most 3 s']);
  const bare = await startProgram(join(import.meta.dirname, 'baseline-server.mjs'));
  const engines = await startProgram(join(import.meta.dirname, 'bare-engines.mjs'));
  try {
    await delay(2_000);
    rows.push(['resident memory, idle', `${residentMegabytes(service.child.pid)} MB`, 'at most 700 MB']);
    rows.push(['resident memory, bare engines', `${residentMegabytes(engines.child.pid)} MB`, '']);
    const keys = await manyKeys(service);
    // Enough that hardly a span is sent twice: a re-sent span costs the writer a look at the stored one.
    const bodies = otlpBodies(quick ? 250 : 500);
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
    const ratios: number[] = [];
    let highest = 0;
    const watch = setInterval(() => (highest = Math.max(highest, residentMegabytes(service.child.pid))), 200);
    let rate = 0;
    for (let round = 0; round < rounds; round++) {
      const denominator = await drive(`http://127.0.0.1:${bare.port}/`, bodies, () => headers, secondsARound);
      const numerator = await drive(
        `${service.url}/v1/traces`,
        bodies,
        (index) => ({ ...headers, 'x-api-key': keys[index % keys.length] ?? '' }),
        secondsARound,
      );
      if (numerator.refused > 0) console.log(`  ${numerator.refused} requests were refused in round ${round + 1}`);
      ratios.push(numerator.rate / denominator.rate);
      rate = Math.max(rate, numerator.rate * 512);
    }
    clearInterval(watch);
    rows.push(['durable OTLP acknowledgements ÷ bare decode', spread(ratios), 'at least 1.0']);
    rows.push(['  best round', `${Math.round(rate)} spans/s`, '']);
    rows.push(['resident memory, under ingestion', `${highest} MB`, 'at most 2,000 MB']);
  } finally {
    bare.child.disconnect();
    engines.child.disconnect();
    await service.stop('SIGKILL');
  }
  const megabytes = (await readdir(join(directory.path, 'wal'), { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size / 1_000_000, 0);
  const replaying = performance.now();
  const again = await startService({ dataDirectory: directory.path });
  rows.push([`ready with ${Math.round(megabytes)} MB of log to replay`, seconds(replaying), '']);
  await again.stop('SIGKILL');
  await directory.remove();
}

/** Enough keys that the rate limit of 300 requests a minute each does not end the load. */
async function manyKeys(service: Service): Promise<string[]> {
  const { cookie, projectId } = await service.signIn();
  const made: string[] = [];
  for (let index = 0; index < keysForLoad; index++) {
    const answer = await fetch(`${service.url}/v1/projects/${projectId}/api-keys`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `load ${index}` }),
    });
    made.push(((await answer.json()) as { key: string }).key);
  }
  return made;
}

async function benchModels(spans: number): Promise<void> {
  const { detailMs, byHandMs, ingestPerSecond } = await benchModelDetail(spans);
  rows.push([`model detail ÷ raw table with FINAL, ${spans} spans`, (detailMs / byHandMs).toFixed(2), 'at most 0.25']);
  rows.push(['  model detail, median', `${detailMs.toFixed(1)} ms`, `by hand ${byHandMs.toFixed(1)} ms`]);
  rows.push(['  all the way into ClickHouse', `${Math.round(ingestPerSecond)} spans/s`, '']);
}

async function benchPrompts(): Promise<void> {
  const { ratios, perSecond } = await benchPromptFetch({ rounds, seconds: secondsARound });
  rows.push(['prompt fetch ÷ bare Fastify route, same bytes', spread(ratios), 'at least 0.5']);
  rows.push(['  best round', `${Math.round(perSecond)} prompts/s`, '']);
}

function spread(ratios: readonly number[]): string {
  const sorted = ratios.toSorted((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${middle.toFixed(2)} (${sorted[0]?.toFixed(2)} to ${sorted.at(-1)?.toFixed(2)})`;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
