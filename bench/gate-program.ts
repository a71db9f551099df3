import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { openSimulationsApp } from '../src/features/simulations/simulations-app.fixture.ts';
import type { Figure } from './figure.ts';

// Compares two runs of many items on an embedded PostgreSQL, in a process of its own: the gate with intervals, items by change, distributions.

const [items = 0, rounds = 0] = process.argv.slice(2).map(Number);

const own = await openSimulationsApp();
const { id: datasetId } = await own.dataset([{ input: 0, expectedOutput: 0 }]);
const scenarioId = await own.scenario({ datasetId, referenceMatch: { mode: 'exact' } });
const [baseline, candidate] = [await own.completed(scenarioId), await own.completed(scenarioId)];
const { db } = own.app.features.simulations.context;
// Of the candidate's items, 1 in 1,000 is worse.
for (const [id, worse] of [
  [baseline.id, 0],
  [candidate.id, 1],
] as const)
  await sql`INSERT INTO simulation_items (batch_run_id, place, repetition, dataset_item_id, status, answered, output, latency_ms, cost_usd)
    SELECT ${id}::uuid, n, 1, ('0197a000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      CASE WHEN n % 50 = 0 OR (n % 1000 = 1 AND ${worse}::int = 1) THEN 'failed' ELSE 'passed' END, true,
      '"' || repeat('an answer ', 60) || '"', 200 + 40 * (n % 37), (n % 11) / 10000.0
    FROM generate_series(10, ${items + 8}::int) AS n`.execute(db);

const path = `/batch-runs/${candidate.id}`;
const gate = {
  baselineBatchRunId: baseline.id,
  confidence: 0.95,
  thresholds: { maxPassRateDrop: 0.01, maxP95LatencyIncrease: 0.1, maxCostIncrease: 0.1 },
};
const times = { gate: [] as number[], page: [] as number[], distributions: [] as number[], delay: [] as number[] };
const timed = async (figure: number[], method: string, of: string, body?: object) => {
  const start = performance.now();
  const answer = await own.simulations(method, `${path}${of}`, body);
  if (answer.status !== 200) throw new Error(`${method} ${of} answered ${answer.status}: ${answer.text}`);
  figure.push(performance.now() - start);
};
const delay = monitorEventLoopDelay({ resolution: 5 });
for (let round = 0; round < rounds; round++) {
  delay.reset();
  delay.enable();
  await timed(times.gate, 'POST', '/gate', gate);
  await timed(times.page, 'GET', `/items?baseline=${baseline.id}&change=regressed&limit=200`);
  await timed(times.distributions, 'GET', `/distributions?baseline=${baseline.id}`);
  delay.disable();
  times.delay.push(delay.max / 1e6);
}
await own.close();

const of = `${items.toLocaleString('en')} items`;
const figures: Figure[] = [
  { title: `gate over ${of}, three checks with intervals`, values: times.gate, unit: 'ms', wanted: { most: 120_000 } },
  { title: '– page of the items that regressed', values: times.page, unit: 'ms', wanted: { most: 2_000 } },
  { title: '– distributions beside the baseline', values: times.distributions, unit: 'ms', wanted: { most: 3_000 } },
  { title: '– longest time in which the event loop stood still', values: times.delay, unit: 'ms', wanted: { most: 300 } },
];
process.send?.(figures);
