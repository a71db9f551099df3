import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { sealHours } from '../src/features/figures/index.ts';
import { administrator } from '../test/support/service.ts';
import { benchAlerts, fillScoresAndChecks } from './alerts.ts';
import { benchBackfill } from './backfill.ts';
import { benchGraph, fillGraph } from './graph.ts';
import { quantile } from './figure.ts';
import type { Figure } from './figure.ts';
import { hourMs } from '../src/contract/durations.ts';

// Fills storage with calls of 30 days, then times model figures, lists, the graph and alert rules through the service and as plain SQL. Runs in its own process: the
// embedded engine opens one directory per process, and `under-load.ts` starts a service on the directory afterwards. With a part's name only that part is timed; a
// directory that an earlier run of a part has filled is not filled again.

const [dataDirectory = '', spanText = '1000000', repetitionText = '20', only = ''] = process.argv.slice(2);
const repetitions = Number(repetitionText);
const spansATrace = 10;
const portion = 500_000;
const marker = join(dataDirectory, 'filled.json');
const filled = existsSync(marker) ? (JSON.parse(readFileSync(marker, 'utf8')) as { spans: number; now: number }) : null;
const spans = filled?.spans ?? Number(spanText);
const now = filled?.now ?? Date.now();
/** The service's clock, set back before alert rules are evaluated: their windows end with the data. */
const clock = { behindMs: filled === null ? 0 : Date.now() - now, now: () => Date.now() - clock.behindMs };

const config = readConfig({
  SPANWISE_PORT: '0',
  SPANWISE_DATA_DIR: dataDirectory,
  SPANWISE_ADMIN_EMAIL: administrator.email,
  SPANWISE_ADMIN_PASSWORD: administrator.password,
  SPANWISE_LOG_LEVEL: 'silent',
});
const app = await startApp(config, { log: pino({ level: 'silent' }), clock, jobs: false });
const { clickhouse } = app.stores;
const login = await fetch(`${app.url}/v1/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(administrator),
});
const headers = { cookie: login.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
const session = (await (await fetch(`${app.url}/v1/auth/session`, { headers })).json()) as {
  organizations: Array<{ projects: Array<{ id: string }> }>;
};
const project = session.organizations[0]?.projects[0]?.id ?? '';
const detailPath = `/v1/projects/${project}/models/model-1?range=30d`;

const figures: Figure[] = [];
const parts: Record<string, () => Promise<Figure[]>> = {
  models: async () => [...(await modelFigures(`${spans / 1e6} M spans`, 0.1)), await listFigure()],
  replaced: () => modelFigures(`${spans / 1e6} M spans, 5 % sent again, 1 % late`, 0.15),
  graph: () => {
    const title = `${spans / 1e6} M spans, and as many agents as traces`;
    return benchGraph({ clickhouse, project, nowMs: now, title, repetitions, answer, timed });
  },
  alerts: () => {
    clock.behindMs = Date.now() - now;
    const title = `${spans / 1e6} M spans`;
    return benchAlerts({ app, project, headers, nowMs: now, title, repetitions: Math.ceil(repetitions / 10) });
  },
  backfill: async () => {
    const { db } = app.stores.postgres;
    return benchBackfill({
      app,
      project,
      title: `${spans / 1e6} M spans, and as many agents as traces`,
      spans: spans * (1.01 + 1 / spansATrace),
      begin: async (after) => {
        await sql`INSERT INTO graph_backfills (project_id, after_trace_id) VALUES (${project}, ${after})
          ON CONFLICT (project_id) DO UPDATE SET after_trace_id = excluded.after_trace_id`.execute(db);
      },
      reached: async () => {
        const { rows } = await sql<{
          after_trace_id: string;
        }>`SELECT after_trace_id FROM graph_backfills WHERE project_id = ${project}`.execute(db);
        return rows[0]?.after_trace_id ?? null;
      },
      seal: settle,
      read: () => answer(detailPath),
    });
  },
};
await stage('models', async () => {
  await fill(0, spans, 1);
  await settle();
});
// 5 % of the spans are replaced with other token counts, and 1 % arrive late, anywhere in the range.
await stage('replaced', async () => {
  await write('number % 20 = 0', 0, spans, 2);
  await fill(spans, spans / 100, 1);
  await settle();
});
await stage('graph', async () => {
  await fillGraph(clickhouse, project);
  await settle();
});
await stage('alerts', () => fillScoresAndChecks(clickhouse));
if (filled === null) writeFileSync(marker, JSON.stringify({ spans, now }));
if (only === 'backfill') await measure('backfill');
await app.close();
process.send?.(figures satisfies Figure[]);
process.disconnect();

/** Fills what a part needs beyond the parts before it, and times the part. */
async function stage(name: string, fillMore: () => Promise<void>): Promise<void> {
  if (filled === null) await fillMore();
  if (only === '' || only === name) await measure(name);
}

async function measure(name: string): Promise<void> {
  process.stderr.write(`reads: ${name} ...\n`);
  figures.push(...((await parts[name]?.()) ?? []));
}

async function fill(from: number, count: number, version: number): Promise<void> {
  await write('1', from, count, version);
}

/** Writes spans numbered from `from` on, with the calls and trace summaries that the pipeline would derive. */
async function write(where: string, from: number, count: number, version: number): Promise<void> {
  for (let at = from; at < from + count; at += portion) {
    await writePortion(where, at, Math.min(portion, from + count - at), version);
  }
}

async function writePortion(where: string, from: number, count: number, version: number): Promise<void> {
  const parameters = { project, now: Math.floor(now / 1000), version, least: from, most: from + count };
  const numbers = `(SELECT number FROM numbers(${from}, ${count}) WHERE ${where})`;
  await clickhouse.command(
    `INSERT INTO spans (project_id, trace_id, span_id, parent_span_id, version, name, kind, start_time, end_time, status, error_code, model, provider,
         agent_name, operation, session_id, user_id, environment, input_tokens, output_tokens, cached_tokens, cost_usd, cost_status, ttft_ms, source,
         input_preview, output_preview, input, output)
       SELECT {project:UUID}, lower(hex(sipHash128(intDiv(number, ${spansATrace})))), lower(hex(sipHash64(number))), 'agent', {version:UInt64}, 'chat', 'llm',
         fromUnixTimestamp64Milli(toInt64({now:UInt32}) * 1000 - toInt64(sipHash64(intDiv(number, ${spansATrace}), 1) % (29 * 86400000)) - number % ${spansATrace}) AS started,
         started + toIntervalMillisecond(toUInt32(exp(6 + (sipHash64(number, 2) % 3000) / 1000))), if(number % 50 = 1, 'error', 'ok'),
         if(number % 50 = 1, '429', ''), concat('model-', toString(number % 5)), 'openai', concat('agent-', toString(number % 7)), 'chat',
         concat('session-', toString(intDiv(number, ${spansATrace * 5}))), concat('user-', toString(number % 500)), 'production', 1000 + number % 500,
         100 * {version:UInt64}, 500, 0.0125 * {version:UInt64}, 'provided', 300, 'otlp', '"What is the weather?"', '"Sunny."', '"What is the weather?"', '"Sunny."'
       FROM ${numbers}`,
    parameters,
  );
  await clickhouse.command(
    `INSERT INTO calls (project_id, hour, trace_id, span_id, version, start_time, model, provider, agent_name, operation, environment, error, error_code,
       finished, duration_ms, ttft_ms, cost, input_tokens, output_tokens, cached_tokens)
     SELECT project_id, toStartOfHour(start_time), trace_id, span_id, version, start_time, model, provider, agent_name, operation, environment, status = 'error',
       error_code, 1, (toUnixTimestamp64Nano(assumeNotNull(end_time)) - toUnixTimestamp64Nano(start_time)) / 1e6, ttft_ms, assumeNotNull(cost_usd),
       assumeNotNull(input_tokens), assumeNotNull(output_tokens), assumeNotNull(cached_tokens)
     FROM spans WHERE version = {version:UInt64} AND span_id IN (SELECT lower(hex(sipHash64(number))) FROM numbers({least:UInt64}, {most:UInt64} - {least:UInt64}))`,
    parameters,
  );
  if (version > 1) return;
  await clickhouse.command(
    `INSERT INTO traces (project_id, start_time, trace_id, version, name, end_time, duration_ms, session_id, environment, error, error_count, error_code, span_count,
       call_count, models, agents, cost, input_tokens, output_tokens)
     SELECT project_id, min(start_time), trace_id, 1, 'chat', max(end_time), 1000, any(session_id), 'production', max(status = 'error'), countIf(status = 'error'), argMaxIf(error_code, (start_time, span_id), status = 'error'), count(),
       count(), arraySort(groupUniqArray(model)), arraySort(groupUniqArray(agent_name)), sum(cost_usd), sum(input_tokens), sum(output_tokens)
     FROM spans WHERE trace_id IN (SELECT lower(hex(sipHash128(number))) FROM numbers(intDiv({least:UInt64}, ${spansATrace}), intDiv({most:UInt64} - {least:UInt64}, ${spansATrace})))
     GROUP BY project_id, trace_id SETTINGS max_bytes_before_external_group_by = 1000000000`,
    parameters,
  );
}

/** Seals hours and days, as the background jobs do. */
async function settle(): Promise<void> {
  const hours = await clickhouse.systemQuery<{ hour: number }>(
    'SELECT DISTINCT toUnixTimestamp(hour) AS hour FROM (SELECT hour FROM calls UNION ALL SELECT hour FROM node_calls)',
  );
  await app.features.figures.hourStates.mark(hours.map(({ hour }) => ({ projectId: project, hour })));
  const later = { now: () => now + hourMs };
  while ((await sealHours({ clickhouse, hourStates: app.features.figures.hourStates.at(later), clock: later })) > 0);
}

/** The same figures as one statement over the raw table, as an operator would write it. */
function byHand(final: string): string {
  return `SELECT count() AS calls, sum(cost_usd) AS cost, countIf(status = 'error') AS errors, sum(input_tokens) AS input,
  sum(output_tokens) AS output, sum(cached_tokens) AS cached, quantilesExact(0.5, 0.95, 0.99)(dateDiff('millisecond', start_time, end_time)) AS latency,
  uniqExact(trace_id) AS traces, uniqExact(agent_name) AS agents, uniqExact(operation) AS operations, min(start_time), max(start_time), avg(ttft_ms),
  groupUniqArray(toDate(start_time)), topK(10)(error_code)
FROM spans${final} WHERE project_id = {project:UUID} AND kind = 'llm' AND model = 'model-1' AND start_time >= toDateTime({from:UInt32})`;
}

async function modelFigures(title: string, most: number): Promise<Figure[]> {
  const from = Math.floor(now / 86_400_000) * 86_400 - 29 * 86_400;
  const ask = (final: string) => clickhouse.systemQuery<Record<string, number>>(byHand(final), { project, from });
  const ratios: number[] = [];
  const times = { detail: [] as number[], hand: [] as number[], final: [] as number[] };
  await answer(detailPath);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    times.detail.push(await timed(() => answer(detailPath)));
    if (repetition % 4 === 0) times.hand.push(await timed(() => ask('')));
  }
  times.final.push(await timed(() => ask(' FINAL')));
  const { summary } = (await answer(detailPath)) as { summary: Record<string, number> };
  const [truth = {}] = await ask(' FINAL');
  const reported = [
    summary['total_calls'],
    summary['error_count'],
    summary['total_input_tokens'],
    summary['total_output_tokens'],
  ];
  const exact = [truth['calls'], truth['errors'], truth['input'], truth['output']];
  if (!isDeepStrictEqual(reported, exact) || Math.abs((summary['total_cost'] ?? 0) / (truth['cost'] ?? 0) - 1) > 1e-9) {
    throw new Error(`the model detail says ${reported.join()}, FINAL ${exact.join()}`);
  }
  ratios.push(quantile(times.detail, 0.95) / quantile(times.hand, 0.95));
  const ms = (values: readonly number[]) => quantile(values, 0.95).toFixed(0);
  return [
    {
      title: `model detail, p95 ÷ raw table by hand without FINAL, ${title}`,
      values: ratios,
      unit: '',
      wanted: { most },
      detail: `${ms(times.detail)} ÷ ${ms(times.hand)} ms; with FINAL ${ms(times.final)} ms, and the same answer`,
    },
  ];
}

async function listFigure(): Promise<Figure> {
  const path = `/v1/projects/${project}/traces?range=30d&status=error&agent=agent-3`;
  const hand = `SELECT trace_id, start_time, name, end_time, duration_ms, session_id, environment, error_count, span_count, models, agents, cost
    FROM traces FINAL WHERE project_id = {project:UUID} AND start_time >= now() - INTERVAL 30 DAY AND error = 1 AND has(agents, 'agent-3')
    ORDER BY start_time DESC, trace_id LIMIT 50`;
  const times = { list: [] as number[], hand: [] as number[] };
  await answer(path);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    times.list.push(await timed(() => answer(path)));
    times.hand.push(await timed(() => clickhouse.systemQuery(hand, { project })));
  }
  const [list, byHandMs] = [quantile(times.list, 0.95), quantile(times.hand, 0.95)];
  return {
    title: `traces list, first page with two filters, p95 ÷ by hand, ${spans / spansATrace / 1e6} M traces`,
    values: [list / byHandMs],
    unit: '',
    wanted: { most: 1.5 },
    detail: `${list.toFixed(0)} ÷ ${byHandMs.toFixed(0)} ms`,
  };
}

async function answer(path: string): Promise<unknown> {
  const response = await fetch(`${app.url}${path}`, { headers });
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
  return response.json();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
