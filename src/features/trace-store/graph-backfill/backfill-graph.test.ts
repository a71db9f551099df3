import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { insertProject } from '../../../../test/support/insert-project.ts';
import { openTestPipeline } from '../../../../test/support/test-pipeline.ts';
import { openTestPostgres } from '../../../../test/support/test-postgres.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import type { Database } from '../../../platform/postgres/index.ts';
import type { SpanRecord } from '../../records/index.ts';
import { emptySpan } from '../../records/records.fixture.ts';
import type { TouchedHour } from '../pipeline-port.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { backfillGraph } from './backfill-graph.ts';

let clickhouse: ClickHouse;
let db: Database;
let pipeline: Pipeline;
let closeStores: () => Promise<void>;
const startMs = Date.UTC(2026, 10, 20, 10);
const organizationId = '0197b000-0000-7000-8000-000000000001';
let projects = 0;

beforeAll(async () => {
  const analytics = await openTestClickHouse();
  const relational = await openTestPostgres();
  ({ clickhouse } = analytics);
  db = relational.postgres.db;
  pipeline = await openTestPipeline(clickhouse, new ManualClock(startMs));
  closeStores = async () => {
    await pipeline.close();
    await relational.close();
    await analytics.close();
  };
}, 60_000);
afterAll(() => closeStores());

const span = (fields: Partial<SpanRecord>): SpanRecord => ({
  ...emptySpan,
  startNs: at(0),
  endNs: at(0) + 5_000_000n,
  ...fields,
});
const at = (hours: number) => BigInt(startMs + hours * 3_600_000) * 1_000_000n;
const agent = span({ spanId: 'agent', kind: 'agent', agentName: 'planner', service: 'api', environment: 'production' });
const tool = span({ spanId: 'tool', parentSpanId: 'agent', kind: 'tool', name: 'search', startNs: at(-3) });
const call = span({
  spanId: 'call',
  parentSpanId: 'agent',
  kind: 'llm',
  model: 'm1',
  provider: 'p',
  promptName: 'greet',
  costUsd: 1,
});
const events = [
  agent,
  tool,
  call,
  ...['t2', 't3'].map((traceId) => ({ ...call, traceId })),
  span({ traceId: 't4', spanId: 'x' }),
];

async function newProject(spans: readonly SpanRecord[]) {
  const projectId = `0197a000-0000-7000-8000-${String(++projects).padStart(12, '0')}`;
  await insertProject(db, { projectId, organizationId, plan: 'scale' }, { atMs: startMs });
  await send(projectId, spans);
  return projectId;
}

async function send(projectId: string, spans: readonly SpanRecord[]): Promise<void> {
  await pipeline.accept({ projectId, organizationId }, { spans: [...spans], scores: [] }, 0);
  await pipeline.drain();
}

/** Removes what a release without the graph did not store, and begins the backfill as the migration does. */
async function asBefore(projectId: string): Promise<void> {
  const settings = 'SETTINGS mutations_sync = 2';
  await clickhouse.command(`ALTER TABLE node_calls DELETE WHERE project_id = {project:UUID} ${settings}`, { project: projectId });
  const empty =
    "nodes = CAST([], 'Array(LowCardinality(String))'), node_environments = CAST([], 'Array(LowCardinality(String))')";
  await clickhouse.command(`ALTER TABLE traces UPDATE ${empty} WHERE project_id = {project:UUID} ${settings}`, {
    project: projectId,
  });
  await sql`INSERT INTO graph_backfills (project_id) VALUES (${projectId})`.execute(db);
}

async function stored(projectId: string) {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  return {
    calls: await reader.query('SELECT * EXCEPT (project_id, version) FROM node_calls FINAL ORDER BY trace_id, call_id'),
    traces: await reader.query<{ trace_id: string; pairs: string[][] }>(
      'SELECT * EXCEPT (project_id, version, nodes, node_environments), arraySort(arrayZip(nodes, node_environments)) AS pairs FROM traces FINAL ORDER BY trace_id',
    ),
  };
}

const marked: TouchedHour[] = [];
const backfill = () =>
  backfillGraph({ clickhouse, postgres: db, markHours: (hours) => Promise.resolve(void marked.push(...hours)) });

test('spans of an earlier release get the rows that their batch would have written, and their hours are marked', async () => {
  const projectId = await newProject(events);
  const wanted = await stored(projectId);
  expect([wanted.calls.length, wanted.traces.map(({ pairs }) => pairs.length)]).toEqual([6, [6, 3, 3, 0]]);
  await asBefore(projectId);
  expect((await stored(projectId)).calls).toEqual([]);
  expect(await backfill()).toBe(1);
  expect(await stored(projectId)).toEqual(wanted);
  expect(marked.map(({ hour }) => hour).toSorted()).toEqual([startMs / 1000 - 10_800, startMs / 1000]);
  expect(await backfill()).toBe(0);
  await sql`INSERT INTO graph_backfills (project_id) VALUES (${projectId})`.execute(db);
  await backfill();
  expect(await stored(projectId)).toEqual(wanted);
});

test('what batches and deletions write before or meanwhile stays', async () => {
  const projectId = await newProject(events);
  await asBefore(projectId);
  const later = [
    { ...tool, kind: 'retriever' as const },
    { ...call, traceId: 't2', startNs: at(-5) },
  ];
  await send(projectId, later);
  await pipeline.deleteTrace({ projectId, organizationId }, 't3');
  await backfill();
  const other = await newProject([...events.filter(({ traceId }) => traceId !== 't3'), ...later]);
  expect(await stored(projectId)).toEqual(await stored(other));
});

test('the hours of a large project are marked in portions, the newest first', async () => {
  const hourly = Array.from({ length: 100 }, (_, hour) => ({ ...call, traceId: `hour-${hour}`, startNs: at(-hour) }));
  const projectId = await newProject(hourly);
  await asBefore(projectId);
  const portions: number[][] = [];
  for (let left = 1; left > 0;) {
    marked.length = 0;
    await backfill();
    portions.push(marked.map(({ hour }) => (startMs / 1000 - hour) / 3_600));
    const { rows } = await sql`SELECT FROM graph_backfills WHERE project_id = ${projectId}`.execute(db);
    left = rows.length;
  }
  expect(portions.map(({ length }) => length)).toEqual([48, 48, 4]);
  expect(portions.flat()).toEqual(hourly.map((_, hour) => hour));
});
