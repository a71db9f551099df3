import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../test/support/until.ts';
import { migratePostgres } from '../../../platform/postgres/index.ts';
import type { Postgres } from '../../../platform/postgres/index.ts';
import { backends } from '../../../platform/postgres/postgres-backends.fixture.ts';
import type { TestDatabase } from '../../../platform/postgres/postgres-backends.fixture.ts';
import type { LogRecordHead } from './log-record.ts';
import { UsageStore } from './usage-store.ts';
import { minuteMs } from '../../../contract/durations.ts';

const migrations = join(import.meta.dirname, '../../../../migrations/postgres');
const nowMs = Date.UTC(2026, 10, 20, 10);
const month = '2026-11-01';

describe.each(backends)('usage counted by replicas, $mode', (backend) => {
  let database: TestDatabase;
  let postgres: Postgres;
  let organizationId: string;
  let replicas: UsageStore[];
  let segments = 0;

  beforeAll(async () => {
    database = await backend.create({ migrated: true });
    postgres = await database.open();
    await migratePostgres(postgres, migrations);
  });
  afterAll(async () => {
    await postgres.close();
    await database.remove();
  });
  beforeEach(async () => {
    organizationId = randomUUID();
    await sql`INSERT INTO organizations (id, slug, name, plan, created_at)
      VALUES (${organizationId}::uuid, ${organizationId}, 'o', 'free', now())`.execute(postgres.db);
    replicas = [new UsageStore(postgres.db, randomUUID()), new UsageStore(postgres.db, randomUUID())];
  });

  const body = (name: string) => createHash('sha256').update(`${organizationId} ${name}`).digest('base64');
  const record = (bodyDigest: string, afterMs: number, quotaCount = 10): LogRecordHead => ({
    projectId: organizationId,
    organizationId,
    quotaCount,
    month,
    eventCount: 10,
    spanCount: 10,
    receivedMs: nowMs + afterMs,
    maxVersion: 1,
    bodyDigest,
  });
  const count = (replica: number, ...records: LogRecordHead[]) => replicas[replica]?.count(++segments, 1, records);
  const counted = () => replicas[0]?.eventsOfMonth(organizationId, month);

  test('a body sent to both counts once within ten minutes, in either order of writing', async () => {
    await count(1, record(body('a'), 9 * minuteMs));
    await count(0, record(body('a'), 0), record(body('b'), 0));
    expect(await counted()).toBe(20);
    await count(1, record(body('b'), 10 * minuteMs - 1));
    expect(await counted()).toBe(20);
    await count(1, record(body('b'), 10 * minuteMs));
    expect(await counted()).toBe(30);
    // The window begins at the body that was counted.
    await count(0, record(body('b'), 19 * minuteMs));
    expect(await counted()).toBe(30);
  });

  test('both count a hundred bodies at the same time in opposite orders', async () => {
    const records = Array.from({ length: 100 }, (_, index) => record(body(String(index)), index));
    await Promise.all([count(0, ...records), count(1, ...records.toReversed())]);
    expect(await counted()).toBe(1_000);
  });

  test.runIf(backend.mode === 'server')('a replica locks no row before those that come first', async () => {
    const projects = [randomUUID(), randomUUID()].toSorted();
    const records = projects.map((projectId) => ({ ...record('', 0), projectId }));
    await count(0, ...records);
    let counting: Promise<void> | undefined;
    await postgres.db.transaction().execute(async (transaction) => {
      const lock = (projectId = '') =>
        sql`SELECT FROM ingest_minutes WHERE project_id = ${projectId}::uuid FOR UPDATE`.execute(transaction);
      await lock(projects[0]);
      counting = count(1, ...records.toReversed());
      await until('the replica waits for the lock', async () => {
        const { rows } = await sql`SELECT FROM pg_locks WHERE NOT granted AND pid IN (
          SELECT pid FROM pg_stat_activity WHERE datname = current_database())`.execute(transaction);
        return rows.length > 0;
      });
      // A replica that holds this row by now waits for this transaction, and this transaction for the replica.
      await lock(projects[1]);
    });
    await counting;
    expect(await replicas[0]?.recentEvents(projects[0] ?? '', nowMs)).toMatchObject({ lastDay: 20 });
  });

  test('the newest span is the latest, also after the clock was set back', async () => {
    const projectId = randomUUID();
    await count(0, { ...record('', 5), projectId }, { ...record('', 3), projectId });
    expect(await replicas[0]?.recentEvents(projectId, nowMs)).toMatchObject({ lastEventMs: nowMs + 5, lastSpanMs: nowMs + 5 });
  });

  test('times of a clock that was ahead become those of the clock that was set back', async () => {
    const projectId = randomUUID();
    await count(0, { ...record('', 86_400_000), projectId });
    expect(await replicas[0]?.recentEvents(projectId, nowMs)).toMatchObject({ lastHour: 0, lastDay: 0 });
    await replicas[0]?.forgetOld(nowMs);
    expect(await replicas[0]?.recentEvents(projectId, nowMs)).toMatchObject({ lastEventMs: nowMs, lastSpanMs: nowMs });
    expect(await replicas[0]?.newestSpanMs(projectId)).toBe(nowMs);
    await replicas[0]?.forgetOld(nowMs + minuteMs);
    expect(await replicas[0]?.newestSpanMs(projectId)).toBe(nowMs);
    const withoutSpans = randomUUID();
    await count(0, { ...record('', 5), projectId: withoutSpans, spanCount: 0 });
    await replicas[0]?.forgetOld(nowMs);
    expect(await replicas[0]?.newestSpanMs(withoutSpans)).toBe(0);
  });

  test('a record without counted events does not replace one with them', async () => {
    await count(0, record(body('a'), 0, 0));
    await count(1, record(body('a'), 1));
    expect(await counted()).toBe(10);
  });

  test('events without a body always count', async () => {
    await count(0, record('', 0), record('', 0));
    expect(await counted()).toBe(20);
  });

  test('bodies are forgotten after an hour', async () => {
    await count(0, record(body('a'), 0));
    const remembered = async () =>
      (
        await sql<{ n: number }>`SELECT count(*) AS n FROM counted_bodies WHERE digest = decode(${body('a')}, 'base64')`.execute(
          postgres.db,
        )
      ).rows[0]?.n;
    await replicas[0]?.forgetOld(nowMs + 60 * minuteMs);
    expect(await remembered()).toBe(1);
    await replicas[0]?.forgetOld(nowMs + 60 * minuteMs + 1);
    expect(await remembered()).toBe(0);
  });
});
