import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { maxClockDifferenceMs } from '../../clock/clock.ts';
import { arrayOf, timestamp } from './queue-table.ts';
import type { LeasedJob } from './queue-table.ts';
import type { Database } from '../../postgres/index.ts';

/** The name of a queue's table and the column of its key. */
export interface KeyedTable {
  name: string;
  key: { column: string } | null;
}

/** This process no longer holds the job. */
export class LeaseLost extends Error {}

export type Lease = Pick<LeasedJob<unknown>, 'id' | 'leaseId'>;

/** SQL of the rows `held (id, lease_id)`, one for each lease. */
export function leaseRows(leases: readonly Lease[]): RawBuilder<unknown> {
  const ids = arrayOf(
    leases.map(({ id }) => id),
    'uuid',
  );
  const leaseIds = arrayOf(
    leases.map(({ leaseId }) => leaseId),
    'uuid',
  );
  return sql`unnest(${ids}, ${leaseIds}) AS held (id, lease_id)`;
}

/** SQL condition: a row of {@link leaseRows} holds the running job. */
export const isHeld = sql`job.id = held.id AND job.lease_id = held.lease_id AND job.status = 'running'`;

/** SQL condition: another queued row has the same key and replaces this one. */
export function isSuperseded({ name, key }: KeyedTable): RawBuilder<unknown> {
  if (key === null) return sql`false`;
  const column = sql.raw(`"${key.column}"`);
  return sql`EXISTS (SELECT 1 FROM ${sql.table(name)} AS other WHERE other.${column} = job.${column} AND other.status = 'queued')`;
}

/** Extends leases. @returns ids of the jobs that are still held */
export async function renewLeases(
  db: Database,
  { name }: KeyedTable,
  leases: readonly Lease[],
  untilMs: number,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`UPDATE ${sql.table(name)} AS job SET lease_until = ${timestamp(untilMs)}
    FROM ${leaseRows(leases)} WHERE ${isHeld} RETURNING job.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Queues jobs again as if they had not been claimed. */
export async function releaseLeases(db: Database, table: KeyedTable, leases: readonly Lease[]): Promise<void> {
  const name = sql.table(table.name);
  await sql`DELETE FROM ${name} AS job USING ${leaseRows(leases)} WHERE ${isHeld} AND ${isSuperseded(table)}`.execute(db);
  await sql`UPDATE ${name} AS job SET status = 'queued', lease_id = NULL, lease_until = NULL, attempts = attempts - 1
    FROM ${leaseRows(leases)} WHERE ${isHeld}`.execute(db);
}

/**
 * Corrects the times of jobs that were queued or claimed by a clock that was ahead: jobs that would wait for longer than the longest wait
 * are due now, and leases end when those that are taken now do. A lease that is ahead by less than five minutes is left: it may be that of
 * a live process whose clock differs.
 */
export async function pullForward(
  db: Database,
  { name }: KeyedTable,
  nowMs: number,
  longest: { waitMs: number; leaseMs: number },
): Promise<void> {
  const table = sql.table(name);
  await sql`UPDATE ${table} SET run_at = ${timestamp(nowMs)}
    WHERE status IN ('queued', 'running') AND run_at > ${timestamp(nowMs + longest.waitMs)}`.execute(db);
  await sql`UPDATE ${table} SET lease_until = ${timestamp(nowMs + longest.leaseMs)}
    WHERE status = 'running' AND lease_until > ${timestamp(nowMs + longest.leaseMs + maxClockDifferenceMs)}`.execute(db);
}

export interface RecoverOptions {
  nowMs: number;
  maxAttempts: number;
  /** The error of a job that was running at each of its attempts when its process died. */
  interruptedError: string;
  /** Also leases that have not expired: for the start of a database's only process. */
  all: boolean;
}

/**
 * Queues jobs again whose lease has expired: their process died or has lost the database. A job that was interrupted at its last attempt may have
 * crashed the process, and fails.
 *
 * @returns how many are queued again
 */
export async function recoverExpired(
  db: Database,
  table: KeyedTable,
  { nowMs, maxAttempts, interruptedError, all }: RecoverOptions,
): Promise<number> {
  const name = sql.table(table.name);
  const expired = all
    ? sql`job.status = 'running'`
    : sql`job.status = 'running' AND (job.lease_until < ${timestamp(nowMs)} OR job.lease_until IS NULL)`;
  await sql`UPDATE ${name} AS job SET status = 'failed', finished_at = ${timestamp(nowMs)}, lease_id = NULL, lease_until = NULL,
    error = ${interruptedError} WHERE ${expired} AND attempts >= ${maxAttempts}`.execute(db);
  await sql`DELETE FROM ${name} AS job WHERE ${expired} AND ${isSuperseded(table)}`.execute(db);
  const { numAffectedRows } = await sql`UPDATE ${name} AS job SET status = 'queued', lease_id = NULL, lease_until = NULL
    WHERE ${expired}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
