import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsDirectory, openTestClickHouse } from '../../../test/support/analytics.ts';
import { copyStore } from '../../../test/support/store-templates.ts';
import type { Plan } from '../../contract/plans.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import { migratePostgres, openPostgres } from '../../platform/postgres/index.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import { HourStates } from '../figures/index.ts';
import { deleteExpired } from './delete-expired.ts';
import type { ExpiredRows } from './delete-expired.ts';
import { dayMs } from '../../contract/durations.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const tables = [
  'spans',
  'span_texts',
  'span_headers',
  'scores',
  'guardrail_activity',
  'outcomes',
  'comments',
  'calls',
  'node_calls',
  'quality',
  'traces',
  'model_hours',
  'model_hour_sketches',
  'quality_hours',
  'graph_hours',
];

const ids: Readonly<Record<string, string>> = { guardrail_activity: 'activity_id', outcomes: 'outcome_id' };

let clickhouse: ClickHouse;
let postgres: Postgres;
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openTestClickHouse();
  clickhouse = opened.clickhouse;
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-retention-'));
  const dataDirectory = join(directory, 'postgres');
  copyStore('postgres', dataDirectory);
  postgres = await openPostgres({ url: null, dataDirectory, onError: () => undefined });
  await migratePostgres(postgres, join(migrationsDirectory, 'postgres'));
  close = async () => {
    await postgres.close();
    await opened.close();
    await rm(directory, { recursive: true, force: true });
  };
}, 60_000);
afterAll(() => close());

const organizationId = '0197b000-0000-7000-8000-000000000001';
const free = { organizationId, projectId: '0197d000-0000-7000-8000-000000000001', plan: 'free' as Plan };
const pro = { organizationId, projectId: '0197d000-0000-7000-8000-000000000002', plan: 'pro' as Plan };
const unknown = { organizationId, projectId: '0197d000-0000-7000-8000-000000000003', plan: 'free' as Plan };

/** One row for each table, project and day. */
async function fill(days: readonly number[]): Promise<void> {
  const projects = [free, pro, unknown].map(({ projectId }) => projectId);
  const times = days.map((day) => nowMs - day * dayMs);
  for (const table of tables) {
    const columns: Record<string, string> = { project_id: 'project' };
    const id = ids[table] ?? 'trace_id';
    if (!table.includes('hour')) Object.assign(columns, { start_time: 'fromUnixTimestamp64Milli(ms)', [id]: 'toString(ms)' });
    if (
      !['spans', 'span_texts', 'span_headers', 'scores', 'guardrail_activity', 'outcomes', 'comments', 'traces'].includes(table)
    )
      columns['hour'] = 'toDateTime(intDiv(ms, 1000))';
    await clickhouse.command(
      `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')}
       FROM (SELECT arrayJoin({projects:Array(UUID)}) AS project, arrayJoin({times:Array(Int64)}) AS ms)`,
      { projects, times },
    );
  }
  const hours = projects.flatMap((projectId) => times.map((ms) => ({ projectId, hour: ms / 1000 })));
  await new HourStates(postgres.db, new ManualClock(nowMs)).mark(hours);
}

/** The number of rows of each project in each table, after all running mutations. */
async function counts(): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  const projects = [free, pro, unknown].map(({ projectId }) => projectId);
  for (const table of tables) {
    // Mutations run in order, so this one ends after the earlier ones.
    await clickhouse.command(`ALTER TABLE ${table} DELETE WHERE 0 SETTINGS mutations_sync = 1`);
    const rows = await clickhouse.systemQuery<{ project: string; rows: number }>(
      `SELECT toString(project_id) AS project, count() AS rows FROM ${table} GROUP BY project_id`,
    );
    found[table] = projects.map((project) => rows.find((row) => row.project === project)?.rows ?? 0);
  }
  const states = await sql<{
    project: string;
    rows: number;
  }>`SELECT project_id AS project, count(*) AS rows FROM hour_states GROUP BY 1`.execute(postgres.db);
  found['hour_states'] = projects.map((project) => states.rows.find((row) => row.project === project)?.rows ?? 0);
  return found;
}

async function mutations(): Promise<number> {
  const [row] = await clickhouse.systemQuery<{ c: number }>(
    'SELECT count() AS c FROM system.mutations WHERE database = currentDatabase()',
  );
  return row?.c ?? 0;
}

const everywhere = (rows: number[]) => Object.fromEntries([...tables, 'hour_states'].map((table) => [table, rows]));

test(
  "deletes whole days older than each project's retention from every table, and nothing else",
  { timeout: 60_000 },
  async () => {
    await fill([0, 14, 15, 89, 91, 400]);
    const clock = new ManualClock(nowMs);
    let told: ExpiredRows[] = [];
    const onExpired = (expired: readonly ExpiredRows[]) => {
      told.push(...expired);
      return Promise.resolve();
    };
    const options = { clickhouse, postgres: postgres.db, clock, projects: () => Promise.resolve([free, pro]), onExpired };
    expect(await counts()).toEqual(everywhere([6, 6, 6]));
    await deleteExpired(options);
    // The free project keeps today and the day in which its retention ends; a project that is not named keeps everything.
    expect(await counts()).toEqual(everywhere([2, 4, 6]));
    expect(told).toEqual([
      { organizationId, projectId: free.projectId, beforeMs: Date.UTC(2026, 10, 6), tables: expect.any(Array) },
      { organizationId, projectId: pro.projectId, beforeMs: Date.UTC(2026, 7, 22), tables: expect.any(Array) },
    ]);
    for (const expired of told) expect(expired.tables.toSorted()).toEqual(tables.toSorted());

    told = [];
    const before = await mutations();
    await deleteExpired(options);
    clock.advance(13 * 3_600_000);
    await deleteExpired(options);
    expect(await mutations()).toBe(before);
    expect(told).toEqual([]);

    clock.advance(2 * 3_600_000);
    const refused = { ...options, onExpired: () => Promise.reject(new Error('cannot be told')) };
    await expect(deleteExpired(refused)).rejects.toThrow('cannot be told');
    expect(await mutations()).toBe(before);
    await deleteExpired(options);
    expect(await counts()).toEqual(everywhere([1, 4, 6]));
    expect(told).toMatchObject([{ projectId: free.projectId, beforeMs: Date.UTC(2026, 10, 7) }]);
  },
);

test('keeps the summary of a trace while a record of it is retained', { timeout: 60_000 }, async () => {
  const day = (days: number) => `fromUnixTimestamp64Milli(${nowMs - days * dayMs})`;
  await clickhouse.command(
    `INSERT INTO traces (project_id, trace_id, start_time, end_time, oldest_time, newest_time) VALUES
     ('${free.projectId}', 'straddling', ${day(20)}, NULL, ${day(20)}, ${day(3)}), ('${free.projectId}', 'expired', ${day(20)}, ${day(2)}, ${day(20)}, ${day(16)})`,
  );
  const clock = new ManualClock(nowMs);
  const projects = () => Promise.resolve([free]);
  const onExpired = () => Promise.resolve();
  const run = async () => {
    await deleteExpired({ clickhouse, postgres: postgres.db, clock, projects, onExpired });
    await clickhouse.command('ALTER TABLE traces DELETE WHERE 0 SETTINGS mutations_sync = 1');
    const rows = await clickhouse.systemQuery<{ id: string }>(
      "SELECT trace_id AS id FROM traces WHERE trace_id IN ('straddling', 'expired') ORDER BY id",
    );
    return rows.map(({ id }) => id);
  };
  expect(await run()).toEqual(['straddling']);
  clock.advance(12 * dayMs);
  expect(await run()).toEqual([]);
});

test('never shows an outcome again that a newer version with an older time replaced', { timeout: 60_000 }, async () => {
  const at = (days: number) => nowMs - days * dayMs;
  const row = (id: string, version: number, startMs: number) =>
    `('${free.projectId}', '${id}', ${version * 1000}, fromUnixTimestamp64Milli(${startMs}))`;
  // The second versions arrived a day later, about a time before that of the first.
  const rows = ['replaced', 'alone'].flatMap((id) => [
    ...(id === 'replaced' ? [row(id, at(3), at(3))] : []),
    row(id, at(2), at(20)),
  ]);
  await clickhouse.command(`INSERT INTO outcomes (project_id, outcome_id, version, start_time) VALUES ${rows.join(', ')}`);
  const clock = new ManualClock(nowMs);
  const onExpired = () => Promise.resolve();
  const run = async () => {
    await deleteExpired({ clickhouse, postgres: postgres.db, clock, projects: () => Promise.resolve([free]), onExpired });
    await clickhouse.command('ALTER TABLE outcomes DELETE WHERE 0 SETTINGS mutations_sync = 1');
    const counted = await clickhouse.systemQuery<{ rows: number }>(
      "SELECT count() AS rows FROM outcomes WHERE outcome_id IN ('replaced', 'alone')",
    );
    const reader = clickhouse.forTenant({ projectId: free.projectId, oldestMs: clock.now() - 14 * dayMs });
    const shown = await reader.query("SELECT outcome_id FROM outcomes FINAL WHERE outcome_id IN ('replaced', 'alone')");
    return [shown.length, counted[0]?.rows];
  };
  expect(await run()).toEqual([0, 3]);
  clock.advance(12 * dayMs);
  expect(await run()).toEqual([0, 3]);
  clock.advance(2 * dayMs);
  expect(await run()).toEqual([0, 0]);
});

test('stops when its signal is aborted', async () => {
  const stop = new AbortController();
  stop.abort();
  const before = await mutations();
  const clock = new ManualClock(nowMs + 1000 * dayMs);
  const projects = () => Promise.resolve([unknown]);
  const onExpired = () => Promise.reject(new Error('told of nothing'));
  await deleteExpired({ clickhouse, postgres: postgres.db, clock, projects, onExpired }, stop.signal);
  expect(await mutations()).toBe(before);
});
