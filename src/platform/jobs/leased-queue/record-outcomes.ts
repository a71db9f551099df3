import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { isHeld, isSuperseded, leaseRows } from './leases.ts';
import type { KeyedTable, Lease } from './leases.ts';
import { arrayOf, storableError, timestamp } from './queue-table.ts';
import type { ColumnTypes, JobOutcome, LeasedJob, QueueTable, Values } from './queue-table.ts';
import type { Database } from '../../postgres/index.ts';

/** A finished run of a job. */
export interface RecordedRun<Results, Sums> {
  job: Lease & Pick<LeasedJob<unknown>, 'attempts'>;
  outcome: JobOutcome<Results, Sums>;
}

type Run<Results extends ColumnTypes, Sums extends ColumnTypes> = RecordedRun<Values<Results>, Values<Sums>>;

interface Update {
  job: Lease;
  status: string;
  error: string | null;
  attempts: number;
  /** null: the job has ended. */
  runAtMs: number | null;
  results: Readonly<Record<string, unknown>>;
  sums: Readonly<Record<string, unknown>>;
}

/** Records the outcomes of runs. A job that this process no longer holds is not changed. Call it in a transaction. */
export async function recordOutcomes<Results extends ColumnTypes, Sums extends ColumnTypes>(
  db: Database,
  table: KeyedTable & Pick<QueueTable<ColumnTypes, Results, Sums>, 'results' | 'sums'>,
  runs: ReadonlyArray<Run<Results, Sums>>,
  nowMs: number,
): Promise<void> {
  const retried = runs.filter(({ outcome }) => outcome.kind === 'retry').map(({ job }) => job);
  const removed = runs.filter(({ outcome }) => outcome.kind === 'removed').map(({ job }) => job);
  const name = sql.table(table.name);
  if (removed.length > 0) await sql`DELETE FROM ${name} AS job USING ${leaseRows(removed)} WHERE ${isHeld}`.execute(db);
  // The key was queued again meanwhile: that row is the retry.
  if (retried.length > 0 && table.key !== null)
    await sql`DELETE FROM ${name} AS job USING ${leaseRows(retried)} WHERE ${isHeld} AND ${isSuperseded(table)}`.execute(db);
  const updates = runs.flatMap(({ job, outcome }) => updateOf(job, outcome, nowMs) ?? []);
  if (updates.length > 0) await update(db, table, updates, nowMs);
}

function updateOf<Results extends ColumnTypes, Sums extends ColumnTypes>(
  job: Run<Results, Sums>['job'],
  outcome: Run<Results, Sums>['outcome'],
  nowMs: number,
): Update | null {
  const { id, leaseId, attempts } = job;
  const lease = { id, leaseId };
  switch (outcome.kind) {
    case 'removed':
      return null;
    case 'ended': {
      const { status, error = null, results = {}, sums = {} } = outcome;
      return { job: lease, status, error, attempts, runAtMs: null, results, sums };
    }
    case 'retry': {
      const { error, afterMs, counts, results = {}, sums = {} } = outcome;
      const counted = counts ? attempts : attempts - 1;
      return { job: lease, status: 'queued', error, attempts: counted, runAtMs: nowMs + afterMs, results, sums };
    }
  }
}

async function update(
  db: Database,
  { name, results, sums }: { name: string; results: ColumnTypes; sums: ColumnTypes },
  updates: readonly Update[],
  nowMs: number,
): Promise<void> {
  const resultNames = Object.keys(results);
  const sumNames = Object.keys(sums);
  const arrays: Array<RawBuilder<unknown>> = [
    arrayOf(
      updates.map(({ job }) => job.id),
      'uuid',
    ),
    arrayOf(
      updates.map(({ job }) => job.leaseId),
      'uuid',
    ),
    arrayOf(
      updates.map(({ status }) => status),
      'text',
    ),
    arrayOf(
      updates.map(({ error }) => storableError(error)),
      'text',
    ),
    arrayOf(
      updates.map(({ attempts }) => attempts),
      'int',
    ),
    sql`${updates.map(({ runAtMs }) => (runAtMs === null ? null : new Date(runAtMs).toISOString()))}::timestamptz[]`,
    ...resultNames.map((column) =>
      arrayOf(
        updates.map((one) => one.results[column] ?? null),
        results[column] ?? 'text',
      ),
    ),
    ...sumNames.map((column) =>
      arrayOf(
        updates.map((one) => one.sums[column] ?? null),
        sums[column] ?? 'float8',
      ),
    ),
  ];
  const names = ['id', 'lease_id', 'status', 'error', 'attempts', 'run_at', ...resultNames, ...sumNames];
  const assigned = (column: string, value: string) => sql.raw(`"${column}" = ${value}`);
  const assignments = [
    ...resultNames.map((column) => assigned(column, `coalesce(held."${column}", job."${column}")`)),
    ...sumNames.map((column) =>
      assigned(column, `coalesce(job."${column}" + held."${column}", held."${column}", job."${column}")`),
    ),
  ];
  await sql`UPDATE ${sql.table(name)} AS job SET status = held.status, error = held.error, attempts = held.attempts,
      run_at = coalesce(held.run_at, job.run_at), lease_id = NULL, lease_until = NULL,
      finished_at = CASE WHEN held.run_at IS NULL THEN ${timestamp(nowMs)} END${assignments.length > 0 ? sql`, ${sql.join(assignments)}` : sql``}
    FROM unnest(${sql.join(arrays)}) AS held (${sql.join(names.map((column) => sql.raw(`"${column}"`)))})
    WHERE ${isHeld}`.execute(db);
}
