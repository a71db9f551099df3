import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationTable } from '../src/features/evaluation/queue/evaluation-jobs.ts';
import { proposalTable } from '../src/features/incidents/fix-proposals/proposal-jobs.ts';
import { deliveryTable } from '../src/features/notifications/delivery-jobs.ts';
import { repricingTable } from '../src/features/prices/repricing/repricing-queue.ts';
import { batchRunTable } from '../src/features/simulations/batch-runs/run-queue.ts';
import { openQueueRig } from '../src/platform/jobs/leased-queue/queue.fixture.ts';
import type { QueueRig } from '../src/platform/jobs/leased-queue/queue.fixture.ts';
import { embeddedBackend } from '../src/platform/postgres/postgres-backends.fixture.ts';
import { openTestPostgres } from './support/test-postgres.ts';

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

const tables = [evaluationTable, deliveryTable, proposalTable, repricingTable, batchRunTable];

describe.each(tables)('the table $name', ({ name: table, payload, results, sums, key }) => {
  it('has the columns and indexes of a leased queue', async () => {
    const { db } = migrated.postgres;
    const columns = await columnsOf(db, table);
    const own = new Set(['subject', 'version', 'result', 'tokens']);
    const common = [...(await columnsOf(rig.postgres.db, 'test_jobs'))].filter(([name]) => !own.has(name));
    expect(common).toHaveLength(12);
    for (const [name, type] of common) expect([name, columns.get(name)]).toEqual([name, type]);
    const indexes = await indexesOf(db, table);
    const needed = (await indexesOf(rig.postgres.db, 'test_jobs')).filter((index) => key !== null || !index.includes('subject'));
    expect(needed).toHaveLength(key === null ? 4 : 5);
    // A unique index serves the queries of one that is not, too.
    const present = [...indexes, ...indexes.map((index) => index.replace(/^UNIQUE /, ''))];
    for (const index of needed) expect(present).toContain(index.replaceAll('subject', key?.column ?? ''));
  });

  it('has the columns that its description names', async () => {
    const columns = await columnsOf(migrated.postgres.db, table);
    const types: Record<string, string> = { int: 'int4', bigint: 'int8' };
    for (const [name, type] of Object.entries({ ...payload, ...results, ...sums }))
      expect([name, columns.get(name)?.split(' ')[0]]).toEqual([name, types[type] ?? type]);
  });
});
