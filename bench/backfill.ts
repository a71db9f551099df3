import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../src/app.ts';
import { quantile } from './figure.ts';
import type { Figure } from './figure.ts';
import { residentMegabytes } from './processes.ts';

const sampleEveryMs = 100;
/** Runs of the job that are timed over spans. */
const spanRuns = 3;

export interface BackfillBench {
  app: App;
  project: string;
  title: string;
  /** Spans of the project. */
  spans: number;
  /** Begins the backfill behind a trace id, as the migration and the runs of the job do. */
  begin(afterTraceId: string): Promise<void>;
  /** The trace id up to which spans were read; null: the backfill has ended. */
  reached(): Promise<string | null>;
  /** Seals the hours that the backfill has marked, as the job does. */
  seal(): Promise<void>;
  /** A read of the service whose time is measured at rest and meanwhile. */
  read(): Promise<unknown>;
}

/**
 * The backfill of the dependency graph (docs/semantics.md, "Dependency graph") over the large tables: the first runs of the job over spans, and then all that
 * follows: traces whose nodes were removed, and the sealing of all hours. Runs follow one another without their interval, and figures are read meanwhile.
 */
export async function benchBackfill(bench: BackfillBench): Promise<Figure[]> {
  const { app, project, title, spans, begin, reached, seal, read } = bench;
  const { clickhouse } = app.stores;
  const empty = "CAST([], 'Array(LowCardinality(String))')";
  await clickhouse.command(
    `ALTER TABLE traces UPDATE nodes = ${empty}, node_environments = ${empty} WHERE project_id = {project:UUID} SETTINGS mutations_sync = 2`,
    { project },
  );
  const job = app.features.traceStore.jobs?.find(({ name }) => name === 'backfill-graph');
  if (!job) throw new Error('there is no job for the backfill of the graph');
  const run = () => job.run(new AbortController().signal);
  const atRest: number[] = [];
  for (let repetition = 0; repetition < 10; repetition++) atRest.push(await timed(read));
  await begin('');
  const ofSpans = await observed(read, async () => {
    for (let round = 0; round < spanRuns; round++) await run();
  });
  const [counted] = await clickhouse.systemQuery<{ spans: number }>(
    'SELECT count() AS spans FROM spans WHERE project_id = {project:UUID} AND trace_id <= {reached:String}',
    { project, reached: (await reached()) ?? '~' },
  );
  const derived = counted?.spans ?? 0;
  // Behind every trace.
  await begin('~');
  const ofTraces = await observed(read, async () => {
    while ((await reached()) !== null) await run();
  });
  const sealing = await observed(read, seal);
  const p95 = quantile([...ofSpans.reads, ...ofTraces.reads], 0.95);
  const whole = (ofSpans.seconds * spans) / derived + ofTraces.seconds + sealing.seconds;
  const memory = (name: string, { rss }: Observed) => `${name} ${rss[0]} → ${rss[1]} MB`;
  return [
    {
      title: `backfill of the dependency graph, ${title}`,
      values: [whole],
      unit: 's',
      detail: `by ${derived} spans in ${ofSpans.seconds.toFixed(0)} s, ${((ofSpans.cpuSeconds / derived) * 1e6).toFixed(0)} µs of CPU a span, and all traces in ${ofTraces.seconds.toFixed(0)} s, ${ofTraces.cpuSeconds.toFixed(0)} s of CPU, and sealing of all hours in ${sealing.seconds.toFixed(0)} s, ${sealing.cpuSeconds.toFixed(0)} s of CPU, reads included; resident memory ${memory('spans', ofSpans)}, ${memory('traces', ofTraces)}`,
    },
    {
      title: '– model detail meanwhile, p95 ÷ at rest',
      values: [p95 / quantile(atRest, 0.95)],
      unit: '',
      detail: `${p95.toFixed(0)} ÷ ${quantile(atRest, 0.95).toFixed(0)} ms; during traces at most ${Math.max(...ofTraces.reads).toFixed(0)} ms, while all hours are sealed ${Math.max(...sealing.reads).toFixed(0)} ms`,
    },
  ];
}

interface Observed {
  seconds: number;
  cpuSeconds: number;
  /** Resident memory before, and at most, MB. */
  rss: [number, number];
  /** Times of the reads meanwhile, ms. */
  reads: number[];
}

/** Runs `work` while figures are read five times a second. */
async function observed(read: () => Promise<unknown>, work: () => Promise<void>): Promise<Observed> {
  const rss: [number, number] = [residentMegabytes(process.pid), 0];
  const sampling = setInterval(() => {
    rss[1] = Math.max(rss[1], residentMegabytes(process.pid));
  }, sampleEveryMs);
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  const reads: number[] = [];
  const state = { running: true };
  const reading = (async () => {
    while (state.running) {
      reads.push(await timed(read));
      await delay(200);
    }
  })();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - started) / 1_000;
  state.running = false;
  await reading;
  clearInterval(sampling);
  return { seconds, cpuSeconds: (user + system) / 1e6, rss, reads };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
