import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertProject } from '../../../test/support/insert-project.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { testServers } from '../../../test/support/test-servers.ts';
import { until } from '../../../test/support/until.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { Database } from '../../platform/postgres/index.ts';
import { deleteItem } from './items.ts';
import { addingSimulatedItems, keepSimulatedItems } from './simulated-runs.ts';

// With a PostgreSQL server (`npm run test:servers`) the transactions below run side by side.

const organizationId = randomUUID();
const acting = { organizationId, projectId: '', actor: { type: 'system' as const } };
const clock = new ManualClock(Date.UTC(2026, 10, 26));
let opened: Awaited<ReturnType<typeof openTestPostgres>>;
let db: Database;
beforeAll(async () => {
  opened = await openTestPostgres();
  ({ db } = opened.postgres);
});
afterAll(() => opened.close());

let projectId: string;
let datasetId: string;
let runId: string;
let items: [string, string];
beforeEach(async () => {
  [projectId, datasetId, runId] = [randomUUID(), randomUUID(), randomUUID()];
  items = [randomUUID(), randomUUID()];
  await insertProject(db, { organizationId, projectId, plan: 'scale' }, { atMs: clock.now() });
  await sql`INSERT INTO datasets (id, project_id, name, metadata, last_place, item_count, created_at, updated_at)
    VALUES (${datasetId}, ${projectId}, 'd', '{}', 2, 2, now(), now())`.execute(db);
  await sql`INSERT INTO dataset_items (id, dataset_id, place, input, metadata, created_at, updated_at)
    SELECT id, ${datasetId}, place, '1', '{}', now(), now() FROM unnest(${items}::uuid[]) WITH ORDINALITY AS item (id, place)`.execute(
    db,
  );
  await sql`INSERT INTO dataset_runs (id, dataset_id, name, metadata, created_at, updated_at)
    VALUES (${runId}, ${datasetId}, 'r', '{}', now(), now())`.execute(db);
});

/** Records a result of each item. */
const record = () =>
  db.transaction().execute(async (transaction) => {
    await keepSimulatedItems(transaction, datasetId);
    const results = sql`SELECT gen_random_uuid() AS id, item AS dataset_item_id, 't' AS trace_id, '2' AS output, 1::float8 AS latency_ms,
      NULL::float8 AS cost_usd, NULL::text AS error FROM unnest(${items}::uuid[]) AS item`;
    await sql`WITH ${addingSimulatedItems(clock, runId, results)} SELECT`.execute(transaction);
  });

async function recorded(): Promise<string[]> {
  const { rows } = await sql<{ item: string }>`SELECT dataset_item_id AS item FROM dataset_run_items WHERE run_id = ${runId}::uuid
    ORDER BY array_position(${items}::uuid[], dataset_item_id)`.execute(db);
  return rows.map(({ item }) => item);
}

test('an item takes its results along when it is deleted, and the project takes all', async () => {
  await record();
  await record();
  expect(await recorded()).toEqual(items);
  await sql`INSERT INTO dataset_run_scores (run_item_id, evaluator, score, scored_at)
    SELECT id, 'e', 1, now() FROM dataset_run_items WHERE run_id = ${runId}::uuid`.execute(db);
  await deleteItem({ db, clock } as unknown as Parameters<typeof deleteItem>[0], { ...acting, projectId }, datasetId, items[0]);
  expect(await recorded()).toEqual([items[1]]);
  await sql`DELETE FROM projects WHERE id = ${projectId}::uuid`.execute(db);
  const { rows } = await sql`SELECT (SELECT count(*)::int FROM dataset_run_items WHERE run_id = ${runId}::uuid) AS items,
    (SELECT count(*)::int FROM dataset_run_scores JOIN dataset_run_items ON id = run_item_id WHERE run_id = ${runId}::uuid) AS scores`.execute(
    db,
  );
  expect(rows).toEqual([{ items: 0, scores: 0 }]);
});

test('the result of an item that is deleted meanwhile is left out', async () => {
  let recording = Promise.resolve();
  await db.transaction().execute(async (transaction) => {
    await sql`SELECT id FROM datasets WHERE id = ${datasetId}::uuid FOR UPDATE`.execute(transaction);
    await sql`DELETE FROM dataset_items WHERE id = ${items[0]}::uuid`.execute(transaction);
    recording = record();
    if (testServers.postgres !== null)
      await until('the recording waits for the lock', async () => {
        const { rows } = await sql`SELECT FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()
          AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`.execute(transaction);
        return rows.length > 0;
      });
  });
  await recording;
  expect(await recorded()).toEqual([items[1]]);
});
