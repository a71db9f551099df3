import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { insertProject } from '../../../test/support/insert-project.ts';
import { openTestPipeline } from '../../../test/support/test-pipeline.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { TestProjects } from '../../../test/support/test-projects.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import type { JobStep } from '../jobs/index.ts';
import { emptyOutcome, emptyScore, emptySpan } from '../records/records.fixture.ts';
import { DeletionStore } from '../trace-store/deletion/deletion-store.ts';
import type { Pipeline } from '../trace-store/index.ts';
import { userDeletionJobs } from './deletion-jobs.ts';
import type { UserDeletion } from './user-data-context.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const clock = new ManualClock(nowMs);
const jobId = '0197e000-0000-7000-8000-000000000007';
const project = new TestProjects().create();

let postgres: Postgres;
let clickhouse: ClickHouse;
let pipeline: Pipeline;
const closing: Array<() => Promise<void>> = [];

beforeAll(async () => {
  const [store, analytics] = await Promise.all([openTestPostgres(), openTestClickHouse()]);
  postgres = store.postgres;
  clickhouse = analytics.clickhouse;
  pipeline = await openTestPipeline(clickhouse, clock, { deletions: new DeletionStore(postgres.db, clock) });
  closing.push(() => pipeline.close(), store.close, analytics.close);
  await insertProject(postgres.db, project, { atMs: nowMs });
  const ids = { id: jobId, project_id: project.projectId, organization_id: project.organizationId };
  const times = { run_at: new Date(nowMs), created_at: new Date(nowMs) };
  const made = { type: 'deleteUserData', input: '{}', actor: '{}', created_by: 'a', lane: 'jobs', status: 'running' } as const;
  await postgres.db
    .insertInto('jobs')
    .values({ ...ids, ...made, ...times } as never)
    .execute();
  const none = { traces: 0, spans: 0, scores: 0, outcomes: 0, newest_ms: null, receipt: null };
  await postgres.db
    .insertInto('user_deletions')
    .values({ job_id: jobId, ...none })
    .execute();
  const start = { ...emptySpan, startNs: BigInt(nowMs) * 1_000_000n };
  const spans = [
    { ...start, traceId: 'a', userId: 'ada', sessionId: 'own' },
    { ...start, traceId: 'b', userId: 'ada', sessionId: 'shared' },
    { ...start, traceId: 'c', userId: 'grace', sessionId: 'shared' },
  ];
  const scores = [{ ...emptyScore, traceId: 'a', timestampMs: nowMs }];
  const outcomes = [{ ...emptyOutcome, traceId: 'b', occurredMs: nowMs }];
  await pipeline.accept(project, { spans, scores, outcomes }, 0);
  await pipeline.drain();
});
afterAll(async () => {
  for (const close of closing) await close();
});

test('a page that is run again after a crash counts once, and so does the end', async () => {
  const noted = new Set<string>();
  const job = {
    id: jobId,
    projectId: project.projectId,
    organizationId: project.organizationId,
    actor: { type: 'user' as const, id: '0197c000-0000-7000-8000-000000000001', email: 'ada@example.com', name: 'Ada' },
    createdAtMs: nowMs,
    input: { userIdSha256: 'f'.repeat(64), plan: 'scale' as const },
    matched: 2,
    state: null,
  };
  const step: JobStep<UserDeletion, null> = {
    job,
    page: 0,
    isLast: true,
    items: ['a', 'b'],
    noted,
    signal: new AbortController().signal,
    note: (_transaction, items) => {
      for (const item of items) noted.add(item);
      return Promise.resolve();
    },
    record: () => Promise.resolve(),
  };
  const forgotten: unknown[] = [];
  const type = userDeletionJobs({
    db: postgres.db,
    mode: 'embedded',
    clickhouse,
    clock,
    pipeline,
    forgetExports: (projectId) => Promise.resolve(void forgotten.push(projectId)),
    forgetMadeFrom: ({ projectId }, { traceIds, sessionIds }) =>
      Promise.resolve(void forgotten.push([projectId, traceIds, sessionIds])),
  });
  // The first attempt ends right after its deletions, before the page is recorded.
  expect(await type.run({ ...step, noted: new Set(noted) })).toEqual({ failed: [] });
  expect(await type.run({ ...step, noted: new Set(noted) })).toEqual({ failed: [] });
  const first = await type.finish?.(job);
  expect(first?.receipt).toMatchObject({ traces: 2, spans: 2, scores: 1, outcomes: 1 });
  clock.advance(60_000);
  expect(await type.finish?.(job)).toEqual(first);
  const page = (sessions: string[]) => [project.projectId, ['a', 'b'], sessions];
  // In the shared session another user takes part. After the first attempt the traces are gone.
  expect(forgotten).toEqual([page(['own']), page([]), project.projectId, project.projectId]);
  const { rows } = await sql<{ kind: string }>`SELECT kind FROM audit_entries ORDER BY at, id`.execute(postgres.db);
  expect(rows.map(({ kind }) => kind)).toEqual(['traces.deleted', 'user_data.deleted']);
});
