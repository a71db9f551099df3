import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchItem, BatchRun } from '../../../src/contract/simulations.ts';
import { isNightly } from '../../support/runs.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { echoes, openSimulationTarget } from '../../support/simulation-target.ts';
import type { SimulationTarget } from '../../support/simulation-target.ts';
import { copyStores } from '../../support/store-templates.ts';
import { Random } from '../rounds/random.ts';
import { openSession } from '../session.ts';
import type { Session } from '../session.ts';

/** `SIMULATION_ROUNDS=50 npm run test:faults -- test/faults/simulations` kills more often; `SIMULATION_SEED` repeats the choices of a run. */
const rounds = Number(process.env['SIMULATION_ROUNDS'] ?? (isNightly ? 20 : 4));
const seed = Number(process.env['SIMULATION_SEED'] ?? randomInt(2 ** 31));
const random = new Random(seed);
const itemCount = 400;
const program = join(import.meta.dirname, '../../support/service-with-targets.ts');
/** A process that reaches no moment to kill it is killed after this time. */
const longestLifeMs = 20_000;

interface Arrival {
  run: string;
  index: number;
  /** The process that sent it, counted from 0. */
  life: number;
}

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let target: SimulationTarget;
/** The last service; a test that fails leaves it running. */
let running: Service | undefined;
const arrivals: Arrival[] = [];
/** Items that an answer of the API showed with an output, as `run index`, with the output. */
const recorded = new Map<string, unknown>();
/** Arrivals of items that were recorded before. */
const repeated: string[] = [];
let life = 0;
let onArrival: () => void = () => undefined;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
  target = await openSimulationTarget();
  target.answers((response, request) => {
    const run = String(request.headers['x-run']);
    const { index } = request.body.input;
    if (recorded.has(`${run} ${index}`)) repeated.push(`${run} ${index}`);
    arrivals.push({ run, index, life });
    onArrival();
    setTimeout(() => echoes(response, request), random.whole(0, 20));
  });
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  await target.close();
  await directory.remove();
});

const start = async () => {
  running = await startService({ dataDirectory: directory.path, program: [program, String(target.port)] });
  return running;
};

/** A scenario whose requests name it, and a run of it. */
async function startRun(session: Session, datasetId: string): Promise<{ name: string; id: string } | null> {
  const name = `run-${life}-${random.whole(0, 1e9)}`;
  const fields = { type: 'http', url: 'http://target-0.example/', headers: { 'x-run': name } };
  const scenario = await session.project('POST', '/simulations/scenarios', {
    name,
    datasetId,
    target: fields,
    referenceMatch: { mode: 'exact' },
  });
  if (scenario === null) return null;
  expect(scenario.status).toBe(201);
  const concurrency = random.whole(1, 16);
  const started = await session.project('POST', '/simulations/batch-runs', { scenarioId: scenario.body.id, concurrency });
  if (started === null) return null;
  expect(started.status).toBe(202);
  return { name, id: started.body.batchRun.id };
}

/** The items of a run; what the killed process did not answer is missing. */
async function itemsOf(session: Session, { name, id }: { name: string; id: string }): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = `limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = (await session.project('GET', `/simulations/batch-runs/${id}/items?${query}`))?.body;
    items.push(...(page?.items ?? []));
    cursor = page?.nextCursor ?? null;
  }
  for (const { output } of items) {
    if (output === null) continue;
    const key = `${name} ${(output as { index: number }).index}`;
    expect(recorded.get(key) ?? output).toEqual(output);
    recorded.set(key, output);
  }
  return items;
}

async function newDataset(service: Service): Promise<string> {
  const headers = { 'x-api-key': service.apiKey, 'content-type': 'application/json' };
  const send = async (path: string, body: object) => {
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { id: string };
  };
  const { id } = await send('/v1/datasets', { name: 'Items' });
  const items = Array.from({ length: itemCount }, (_, index) => ({ input: { index }, expectedOutput: { index } }));
  await send(`/v1/datasets/${id}/items`, { items });
  return id;
}

/** Whether a part of its items has been sent: the next process sends the rest. */
function isInterrupted({ name }: { name: string }): boolean {
  const sent = new Set(arrivals.filter(({ run }) => run === name).map(({ index }) => index));
  return sent.size > 0 && sent.size < itemCount;
}

/** Kills the service when so many items have arrived, or after a time. */
function killLater(service: Service): Promise<void> {
  const ended = new Promise<void>((resolve) => service.child.once('exit', () => resolve()));
  const kill = () => void service.child.kill('SIGKILL');
  let left = random.whole(1, 300);
  const timer = setTimeout(kill, random.pick([longestLifeMs, random.whole(100, 2_000)]));
  onArrival = () => {
    left -= 1;
    if (left === 0) kill();
  };
  return ended.then(() => clearTimeout(timer));
}

test(
  'a batch run that is killed is resumed: no item is lost, and none is sent again once its answer is recorded',
  { timeout: 120_000 + rounds * 40_000 },
  async () => {
    const runs: Array<{ name: string; id: string }> = [];
    let datasetId: string | null = null;
    // Where a process takes longer to begin a run than the test lets it live, further ones follow.
    for (life = 0; life < rounds || (life < rounds + 8 && !runs.some(isInterrupted)); life += 1) {
      const service = await start();
      const session = await openSession(service);
      datasetId ??= await newDataset(service);
      const ended = killLater(service);
      if (life % 2 === 0) {
        const run = await startRun(session, datasetId);
        if (run) runs.push(run);
      }
      while (service.child.exitCode === null && service.child.signalCode === null) {
        for (const run of runs.slice(-3)) await itemsOf(session, run);
        await delay(20);
      }
      await ended;
    }

    onArrival = () => undefined;
    const service = await start();
    const session = await openSession(service);
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) {
      let record: BatchRun | undefined;
      for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
        await itemsOf(session, run);
        record = (await session.project('GET', `/simulations/batch-runs/${run.id}`))?.body.batchRun;
        if (record?.status === 'completed') break;
        await delay(50);
      }
      expect(record).toMatchObject({ status: 'completed', counts: { total: itemCount, passed: itemCount, pending: 0 } });
      const items = await itemsOf(session, run);
      expect(items.map(({ output }) => (output as { index: number }).index)).toEqual(
        Array.from({ length: itemCount }, (_, index) => index),
      );
      expect(items.every(({ status, referenceMatch }) => status === 'passed' && referenceMatch === true)).toBe(true);
      const ofRun = arrivals.filter((arrival) => arrival.run === run.name);
      // One process sends an item once; another one sends those again whose answers were not recorded.
      for (const life of new Set(ofRun.map((arrival) => arrival.life))) {
        const inLife = ofRun.filter((arrival) => arrival.life === life).map(({ index }) => index);
        expect(new Set(inLife).size).toBe(inLife.length);
      }
      expect(new Set(ofRun.map(({ index }) => index)).size).toBe(itemCount);
    }
    expect(repeated).toEqual([]);
    // The kills interrupted something.
    const resumed = runs.filter(
      ({ name }) => new Set(arrivals.filter(({ run }) => run === name).map((arrival) => arrival.life)).size > 1,
    );
    expect(resumed.length).toBeGreaterThan(0);
    expect(await service.stop('SIGTERM')).toBe(0);
  },
);
