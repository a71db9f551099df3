import { sql } from 'kysely';
import { ManualClock } from '../../clock/clock.ts';
import type { Backend } from '../../postgres/postgres-backends.fixture.ts';
import type { Postgres } from '../../postgres/index.ts';
import type { RetryPolicy } from './backoff.ts';
import { LeasedQueue } from './leased-queue.ts';
import type { LeasedQueueOptions } from './leased-queue.ts';
import type { LeasedJob, QueueTable, Values } from './queue-table.ts';

const payload = { subject: 'text', version: 'int' } as const;
const results = { result: 'text' } as const;
const sums = { tokens: 'bigint' } as const;

export type TestQueue = LeasedQueue<typeof payload, typeof results, typeof sums>;
export type TestJob = LeasedJob<Values<typeof payload>>;
type TestTable = QueueTable<typeof payload, typeof results, typeof sums>;

/** The shape that queue-table.ts documents. */
export const testTable: TestTable = {
  name: 'test_jobs',
  payload,
  results,
  sums,
  key: { column: 'subject', index: 'test_jobs_queued', replaced: ['version'] },
};

export const retries: RetryPolicy = { maxAttempts: 3, firstMs: 1_000, factor: 4, maxMs: 60_000, maxAskedMs: 600_000, jitter: 0 };
export const startMs = Date.UTC(2026, 10, 22);
export const projectA = '0197b000-0000-7000-8000-00000000000a';
export const projectB = '0197b000-0000-7000-8000-00000000000b';

export interface StoredJob {
  id: string;
  project_id: string;
  status: string;
  attempts: number;
  run_at: Date;
  lease_id: string | null;
  lease_until: Date | null;
  error: string | null;
  finished_at: Date | null;
  subject: string;
  version: number;
  result: string | null;
  tokens: number | null;
}

export interface QueueRig {
  postgres: Postgres;
  clock: ManualClock;
  /** The same queue for a second process. */
  process(options?: Partial<LeasedQueueOptions<typeof payload, typeof results, typeof sums>>): TestQueue;
  /** Queues one job per subject in a project. @returns how many were refused */
  enqueue(projectId: string, subjects: readonly string[], more?: { version?: number; limit?: number }): Promise<number>;
  rows(): Promise<StoredJob[]>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** A database with an empty queue. */
export async function openQueueRig(backend: Backend): Promise<QueueRig> {
  const database = await backend.create();
  const postgres = await database.open();
  const { db } = postgres;
  for (const statement of [
    sql`CREATE TABLE test_jobs (
      id uuid PRIMARY KEY, project_id uuid NOT NULL, lane text NOT NULL, status text NOT NULL, attempts integer NOT NULL DEFAULT 0,
      run_at timestamptz NOT NULL, lease_until timestamptz, lease_id uuid, error text, created_at timestamptz NOT NULL,
      started_at timestamptz, finished_at timestamptz, subject text NOT NULL, version integer NOT NULL, result text, tokens bigint)`,
    sql`CREATE UNIQUE INDEX test_jobs_queued ON test_jobs (subject) WHERE status = 'queued'`,
    sql`CREATE INDEX test_jobs_due ON test_jobs (lane, project_id, run_at, id) WHERE status = 'queued'`,
    sql`CREATE INDEX test_jobs_leases ON test_jobs (lease_until) WHERE status = 'running'`,
    sql`CREATE INDEX test_jobs_unfinished ON test_jobs (project_id) WHERE status IN ('queued', 'running')`,
  ])
    await statement.execute(db);
  const clock = new ManualClock(startMs);
  const process: QueueRig['process'] = (options = {}) =>
    new LeasedQueue({
      db,
      table: testTable,
      clock,
      retries,
      interruptedError: 'It was interrupted.',
      random: () => 0,
      ...options,
    });
  const queue = process();
  return {
    postgres,
    clock,
    process,
    enqueue: (projectId, subjects, { version = 1, limit = 1_000 } = {}) =>
      queue.enqueue(
        db,
        projectId,
        subjects.map((subject) => ({ pool: 'main', payload: { subject, version } })),
        { limit },
      ),
    rows: async () => (await sql<StoredJob>`SELECT * FROM test_jobs ORDER BY subject, created_at, id`.execute(db)).rows,
    clear: async () => {
      await sql`DELETE FROM test_jobs`.execute(db);
      clock.set(startMs);
    },
    close: async () => {
      await postgres.close();
      await database.remove();
    },
  };
}

/** Higher than any test needs. */
export const anyNumber = { max: 1_000, maxOfProject: 1_000, runningOf: new Map<string, number>() };

/** Claims every due job. */
export async function claimAll(queue: TestQueue, max = 1_000): Promise<TestJob[]> {
  const jobs: TestJob[] = [];
  for (;;) {
    const claim = await queue.claim('main', { ...anyNumber, max });
    if (!claim) return jobs;
    jobs.push(...claim.jobs);
  }
}
