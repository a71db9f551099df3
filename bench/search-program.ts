import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { administrator } from '../test/support/service.ts';
import { median, quantile } from './figure.ts';
import type { Figure } from './figure.ts';
import { fillSearchTables, rareWord, wordOf } from './search-tables.ts';

// Searches, counts and facets over spans with texts, through the service and as plain SQL over the same tables, and the CPU of the index. Runs in its own process: the
// embedded engine opens one directory per process, and the CPU of the whole process is measured.

const [spans = 200_000, repetitions = 5] = process.argv.slice(2).map(Number);
const directory = await mkdtemp(join(tmpdir(), 'spanwise-search-'));
const nowMs = Date.now();
const config = readConfig({
  SPANWISE_PORT: '0',
  SPANWISE_DATA_DIR: directory,
  SPANWISE_ADMIN_EMAIL: administrator.email,
  SPANWISE_ADMIN_PASSWORD: administrator.password,
  SPANWISE_LOG_LEVEL: 'silent',
});
const app = await startApp(config, { log: pino({ level: 'silent' }), jobs: false });
const { clickhouse, postgres } = app.stores;
const login = await fetch(`${app.url}/v1/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(administrator),
});
const headers = { cookie: login.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'content-type': 'application/json' };
const session = (await (await fetch(`${app.url}/v1/auth/session`, { headers })).json()) as {
  organizations: Array<{ projects: Array<{ id: string }> }>;
};
const project = session.organizations[0]?.projects[0]?.id ?? '';
const millions = `${spans / 1e6} M spans`;

await fillSearchTables(clickhouse, project, spans, nowMs);
const figures = [...(await indexFigures()), ...(await searchFigures()), ...(await fieldFigures())];
await app.close();
await rm(directory, { recursive: true, force: true });
process.send?.(figures satisfies Figure[]);
process.disconnect();

/** CPU of the whole process, in nanoseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}

/** CPU of copying the texts with their index, and of a merge of all of them. */
async function indexFigures(): Promise<Figure[]> {
  await clickhouse.command('SYSTEM STOP MERGES');
  const columns = 'project_id, start_time, trace_id, span_id, version, name, error_code, error_message, input, output';
  const [size] = await clickhouse.systemQuery<{ bytes: number }>(
    'SELECT sum(length(name) + length(error_code) + length(error_message) + length(input) + length(output)) AS bytes FROM spans',
  );
  const bytes = size?.bytes ?? 1;
  const copy = (materialize: 0 | 1) =>
    cpuOf(() =>
      clickhouse.command(
        `INSERT INTO span_texts (${columns}) SELECT ${columns} FROM spans
         SETTINGS materialize_skip_indexes_on_insert = ${materialize}, min_insert_block_size_rows = 200000, max_insert_block_size = 200000, max_insert_threads = 1`,
      ),
    );
  const plain = await copy(0);
  await clickhouse.command('TRUNCATE TABLE span_texts');
  const indexed = await copy(1);
  await clickhouse.command('SYSTEM START MERGES');
  const merged = await cpuOf(() => clickhouse.command('OPTIMIZE TABLE span_texts FINAL'));
  const [disk] = await clickhouse.systemQuery<{ bytes: number; words: number }>(
    `SELECT sum(bytes_on_disk) AS bytes, sum(secondary_indices_compressed_bytes) AS words FROM system.parts
     WHERE active AND database = currentDatabase() AND table = 'span_texts'`,
  );
  await sql`DELETE FROM search_backfills`.execute(postgres.db);
  const a = (nanoseconds: number) => [nanoseconds / bytes];
  return [
    { title: 'index of words, CPU a byte of text at level 0', values: a(indexed - plain), unit: 'ns', wanted: { most: 25 } },
    { title: '– and a merge of all texts', values: a(indexed - plain + merged), unit: 'ns', wanted: { most: 60 } },
    {
      title: '– texts of a span on disk',
      values: [(disk?.bytes ?? 0) / spans],
      unit: 'bytes',
      detail: `${((disk?.words ?? 0) / spans).toFixed(0)} of them the index, of ${(bytes / spans).toFixed(0)} bytes of text`,
    },
  ];
}

/** The newest 50 spans with a text. A word of its own in each repetition: the engine remembers which rows a condition leaves out. */
async function searchFigures(): Promise<Figure[]> {
  const texts: Record<string, (repetition: number) => string> = {
    'a frequent word': (at) => wordOf(2 + at),
    'a medium word': (at) => wordOf(3000 + at),
    'a rare word': () => rareWord,
    'an absent word': (at) => `zyzzyva${at}qx`,
    'two words': (at) => `${wordOf(40 + at)} ${wordOf(2000 + at)}`,
    'a part of a word': (at) => rareWord.slice(1, 8 + (at % 4)),
  };
  const figures: Figure[] = [];
  for (const [name, textOf] of Object.entries(texts)) {
    const [times, hand, cpu]: [number[], number[], number[]] = [[], [], []];
    for (let at = 0; at < repetitions; at++) {
      const text = textOf(at);
      const path = `/spans?range=30d&limit=50&filter=${encodeURIComponent(text)}`;
      cpu.push((await cpuOf(async () => times.push(await timed(() => answer(path))))) / 1e6);
      if (at < 2) hand.push(await timed(() => clickhouse.systemQuery(byHand(text), { project })));
    }
    figures.push(figure(`newest 50 with ${name}`, { times, hand, cpu, most: 300 }));
  }
  return figures;
}

/** The texts read by hand in the order of time, as without an index. */
function byHand(text: string): string {
  const contains = text.split(' ').map((word) => {
    const occurs = ['name', 'error_code', 'error_message', 'input', 'output'].map(
      (column) => `positionCaseInsensitiveUTF8(${column}, '${word}') > 0`,
    );
    return `(${occurs.join(' OR ')})`;
  });
  return `SELECT trace_id, span_id FROM span_texts WHERE project_id = {project:UUID} AND ${contains.join(' AND ')} ORDER BY start_time DESC LIMIT 50`;
}

async function fieldFigures(): Promise<Figure[]> {
  const filter = encodeURIComponent('model:model-3 status:error environment:staging');
  const where = `project_id = {project:UUID} AND model = 'model-3' AND status = 'error' AND environment = 'staging'`;
  const facets = ['name', 'status', 'model', 'provider', 'environment', 'kind'];
  const facet = `arrayJoin([${facets.map((field) => `('${field}', toString(${field}))`).join(', ')}])`;
  const parts: Record<string, { path: string; hand: string; most: number }> = {
    'newest 50 by three fields': {
      path: `/spans?range=30d&limit=50&filter=${filter}`,
      hand: `SELECT trace_id, span_id FROM spans FINAL WHERE ${where} ORDER BY start_time DESC LIMIT 50`,
      most: 300,
    },
    'count and buckets by three fields': {
      path: `/span-counts?range=30d&filter=${filter}`,
      hand: `SELECT toStartOfHour(start_time) AS hour, count() FROM spans FINAL WHERE ${where} GROUP BY hour`,
      most: 1000,
    },
    'six facets': {
      path: `/facets?on=spans&range=30d&${facets.map((field) => `field=${field}`).join('&')}`,
      hand: `SELECT ${facet} AS value, count() FROM spans FINAL WHERE project_id = {project:UUID} GROUP BY value`,
      most: 1000,
    },
  };
  const figures: Figure[] = [];
  for (const [name, { path, hand: statement, most }] of Object.entries(parts)) {
    const [times, hand, cpu]: [number[], number[], number[]] = [[], [], []];
    for (let at = 0; at < Math.min(repetitions, 5); at++) {
      cpu.push((await cpuOf(async () => times.push(await timed(() => answer(path))))) / 1e6);
      hand.push(await timed(() => clickhouse.systemQuery(statement, { project })));
    }
    figures.push(figure(name, { times, hand, cpu, most }));
  }
  const suggest = (text: string) => answer('/filter-suggestions', { on: 'spans', text, cursor: text.length });
  const times: number[] = [];
  for (let at = 0; at < repetitions; at++) times.push(await timed(() => suggest(`model:model-${at % 9}`)));
  figures.push({
    title: `suggestions, p95, ${spans / 8e6} M traces`,
    values: [quantile(times, 0.95)],
    unit: 'ms',
    wanted: { most: 150 },
  });
  return figures;
}

function figure(
  name: string,
  { times, hand, cpu, most }: { times: number[]; hand: number[]; cpu: number[]; most: number },
): Figure {
  const byHandMs = median(hand);
  const detail = `${median(cpu).toFixed(0)} ms of CPU; median ${median(times).toFixed(0)} ms, ${(median(times) / byHandMs).toFixed(2)} of ${byHandMs.toFixed(0)} ms by hand`;
  return { title: `${name}, p95, ${millions}`, values: [quantile(times, 0.95)], unit: 'ms', wanted: { most }, detail };
}

async function answer(path: string, body?: unknown): Promise<unknown> {
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${app.url}/v1/projects/${project}${path}`, { headers, ...post });
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
