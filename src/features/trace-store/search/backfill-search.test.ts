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
import type { Pipeline } from '../pipeline/pipeline.ts';
import { spanHeaders } from '../tables/span-headers.ts';
import { backfillSearch } from './backfill-search.ts';
import { SearchIndex } from './search-index.ts';
import { spanTexts } from './span-texts.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
const organizationId = '0197b000-0000-7000-8000-000000000001';
const clock = new ManualClock(startMs);
const waited = 'SETTINGS mutations_sync = 2';
const copies = [spanTexts, spanHeaders];
let clickhouse: ClickHouse;
let db: Database;
let pipeline: Pipeline;
let closeStores: () => Promise<void>;
let projects = 0;

beforeAll(async () => {
  const analytics = await openTestClickHouse();
  const relational = await openTestPostgres();
  ({ clickhouse } = analytics);
  db = relational.postgres.db;
  pipeline = await openTestPipeline(clickhouse, clock);
  closeStores = async () => {
    await pipeline.close();
    await relational.close();
    await analytics.close();
  };
}, 60_000);
afterAll(() => closeStores());

const span = (traceId: string, fields: Partial<SpanRecord> = {}): SpanRecord => ({
  ...emptySpan,
  traceId,
  spanId: 'a',
  startNs: BigInt(startMs) * 1_000_000n,
  input: JSON.stringify(`a question of ${traceId}`),
  ...fields,
});

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

/** Removes what a release without the table did not store, and begins the backfill as the migration does. */
async function asBefore(projectId: string): Promise<void> {
  for (const table of ['span_texts', 'span_headers'])
    await clickhouse.command(`ALTER TABLE ${table} DELETE WHERE project_id = {project:UUID} ${waited}`, { project: projectId });
  await sql`INSERT INTO search_backfills (project_id) VALUES (${projectId})`.execute(db);
}

/** The texts by which a search would find the spans that are stored. */
function texts(projectId: string) {
  return clickhouse.forTenant({ projectId, oldestMs: null }).query<{ trace_id: string; input: string }>(
    `SELECT trace_id, span_id, version, toString(start_time) AS start, name, error_code, error_message, input, output FROM span_texts FINAL
     WHERE (trace_id, span_id, version) IN (SELECT trace_id, span_id, version FROM spans FINAL) ORDER BY trace_id, span_id`,
  );
}

/** The rows of a table by the columns of `span_headers`. */
function headers(projectId: string, table = 'span_headers') {
  return clickhouse
    .forTenant({ projectId, oldestMs: null })
    .query(`SELECT ${spanHeaders.columns.join(', ')} FROM ${table} FINAL ORDER BY trace_id, span_id`);
}

const backfill = () => backfillSearch({ clickhouse, postgres: db, clock, copies });

test('every stored span gets the texts and the header that its batch would have written, and the project is whole', async () => {
  const search = new SearchIndex(clickhouse, db);
  const stored = ['t1', 't2', 't3'].map((id) => span(id, { output: '"an answer"', errorMessage: 'no', errorCode: 'x' }));
  const projectId = await newProject([...stored, span('t1', { spanId: '', name: 'its own record' })]);
  await send(projectId, [span('t2', { input: '"sent again"' })]);
  const wanted = await texts(projectId);
  expect(wanted.map(({ trace_id: id, input }) => [id, input])).toEqual([
    ['t1', '"a question of t1"'],
    ['t1', '"a question of t1"'],
    ['t2', '"sent again"'],
    ['t3', '"a question of t3"'],
  ]);
  await asBefore(projectId);
  expect([await texts(projectId), await headers(projectId), await search.isWhole(projectId)]).toEqual([[], [], false]);
  expect(await search.progress(projectId)).toEqual({ copied: 0, total: null });
  expect(await backfillSearch({ clickhouse, postgres: db, clock, copies }, AbortSignal.abort())).toBe(0);
  expect(await search.progress(projectId)).toEqual({ copied: 0, total: 5 });
  expect(await backfill()).toBe(1);
  expect(await texts(projectId)).toEqual(wanted);
  expect(await headers(projectId)).toEqual(await headers(projectId, 'spans'));
  expect([await search.isWhole(projectId), await search.progress(projectId), await backfill()]).toEqual([true, null, 0]);
});

test('what batches write meanwhile stays, and texts of a trace that was deleted meanwhile are deleted', async () => {
  const projectId = await newProject(['t1', 't2', 't3'].map((id) => span(id)));
  await asBefore(projectId);
  await send(projectId, [span('t1', { input: '"newer"', startNs: BigInt(startMs + 1) * 1_000_000n })]);
  await pipeline.deleteTrace({ projectId, organizationId }, 't3');
  // A portion was read before the deletion, and is written after it.
  await clickhouse.command(
    `INSERT INTO span_texts (project_id, trace_id, span_id, version, start_time, input) VALUES ('${projectId}', 't3', 'a', 1, '2026-11-20 10:00:00', 'left')`,
  );
  for (const trace of ['t1', 't3'])
    await clickhouse.command(
      `INSERT INTO span_headers (project_id, trace_id, span_id, version, start_time) VALUES ('${projectId}', '${trace}', 'a', 1, '2026-11-20 10:00:00')`,
    );
  clock.advance(2 * 3_600_000);
  await backfill();
  await clickhouse.command(`ALTER TABLE span_texts DELETE WHERE 0 ${waited}`);
  expect((await texts(projectId)).map(({ trace_id: id, input }) => [id, input])).toEqual([
    ['t1', '"newer"'],
    ['t2', '"a question of t2"'],
  ]);
  expect(await headers(projectId)).toEqual(await headers(projectId, 'spans'));
  const rows = await clickhouse.systemQuery(
    `SELECT DISTINCT trace_id AS id FROM span_texts WHERE project_id = '${projectId}' ORDER BY id`,
  );
  expect(rows).toEqual([{ id: 't1' }, { id: 't2' }]);
});
