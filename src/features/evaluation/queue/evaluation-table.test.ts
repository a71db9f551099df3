import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openQueueRig } from '../../../platform/jobs/leased-queue/queue.fixture.ts';
import type { QueueRig } from '../../../platform/jobs/leased-queue/queue.fixture.ts';
import { embeddedBackend } from '../../../platform/postgres/postgres-backends.fixture.ts';
import { openTestPostgres } from '../../../../test/support/test-postgres.ts';
import { evaluationTable } from './evaluation-jobs.ts';

let migrated: Awaited<ReturnType<typeof openTestPostgres>>;
let rig: QueueRig;

beforeAll(async () => {
  migrated = await openTestPostgres();
  rig = await openQueueRig(embeddedBackend);
});
afterAll(async () => {
  await rig.close();
  await migrated.close();
});

type Database = typeof rig.postgres.db;

async function columnsOf(db: Database, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`SELECT column_name AS name, udt_name || ' ' || is_nullable AS type
    FROM information_schema.columns WHERE table_name = ${table}`.execute(db);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

async function indexesOf(db: Database, table: string): Promise<string[]> {
  const { rows } = await sql<{
    definition: string;
  }>`SELECT indexdef AS definition FROM pg_indexes WHERE tablename = ${table}`.execute(db);
  return rows.map(({ definition }) => definition.replace(/^CREATE (UNIQUE )?INDEX \S+ ON \S+ /, '$1'));
}

it('has the columns and indexes of a leased queue', async () => {
  const { db } = migrated.postgres;
  const columns = await columnsOf(db, evaluationTable.name);
  const own = new Set(['subject', 'version', 'result', 'tokens']);
  const common = [...(await columnsOf(rig.postgres.db, 'test_jobs'))].filter(([name]) => !own.has(name));
  expect(common).toHaveLength(12);
  for (const [name, type] of common) expect([name, columns.get(name)]).toEqual([name, type]);
  const indexes = await indexesOf(db, evaluationTable.name);
  for (const index of await indexesOf(rig.postgres.db, 'test_jobs'))
    expect(indexes).toContain(index.replaceAll('subject', evaluationTable.key.column));
});

it('has the columns that its description names', async () => {
  const columns = await columnsOf(migrated.postgres.db, evaluationTable.name);
  const { payload, results, sums } = evaluationTable;
  const types: Record<string, string> = { int: 'int4', bigint: 'int8' };
  for (const [name, type] of Object.entries({ ...payload, ...results, ...sums }))
    expect([name, columns.get(name)?.split(' ')[0]]).toEqual([name, types[type] ?? type]);
});
