import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { arrayOf, columnList, timestamp } from './queue-table.ts';
import type { ColumnTypes, QueueTable, Values } from './queue-table.ts';
import type { Database } from '../../postgres/index.ts';

/** A job to be queued. */
export interface NewJob<Payload> {
  /** A UUIDv7; made if absent. */
  id?: string;
  /** The worker pool that runs it. */
  pool: string;
  payload: Payload;
}

export interface EnqueueOptions {
  nowMs: number;
  /** Maximum jobs of the project that are queued or running; further ones are refused. `Infinity` if the caller checks the limit. */
  limit: number;
  /** A SQL join with rows that a job depends on; a job without such a row is skipped. The job's columns are `new`. */
  join?: RawBuilder<unknown>;
  /** Columns that are filled from the joined rows. */
  joined?: Readonly<Record<string, RawBuilder<unknown>>>;
}

/** Rows of one statement. */
const chunkSize = 1_000;

/**
 * Queues jobs of one project. A job whose key is already queued is not queued twice. The limit is approximate: concurrent transactions do not count
 * each other's jobs.
 *
 * @returns how many were refused: the last ones
 */
export async function enqueue<Payload extends ColumnTypes>(
  db: Database,
  table: QueueTable<Payload, ColumnTypes, ColumnTypes>,
  projectId: string,
  jobs: ReadonlyArray<NewJob<Values<Payload>>>,
  options: EnqueueOptions,
): Promise<number> {
  if (jobs.length === 0) return 0;
  const { limit } = options;
  const distinct = lastOfEachKey(table.key, jobs);
  const room = Number.isFinite(limit) ? Math.max(0, limit - (await unfinished(db, table, projectId, limit))) : limit;
  const taken = distinct.slice(0, room);
  for (let at = 0; at < taken.length; at += chunkSize)
    await insert(db, table, projectId, taken.slice(at, at + chunkSize), options);
  return distinct.length - taken.length;
}

/** One statement must not insert and update the same row. */
function lastOfEachKey<Payload extends ColumnTypes>(
  key: { column: keyof Payload & string } | null,
  jobs: ReadonlyArray<NewJob<Values<Payload>>>,
): ReadonlyArray<NewJob<Values<Payload>>> {
  return key === null ? jobs : [...new Map(jobs.map((job) => [job.payload[key.column], job])).values()];
}

/** Jobs of a project that are queued or running, counted up to `max`. */
export async function unfinished(db: Database, { name }: { name: string }, projectId: string, max: number): Promise<number> {
  const { rows } = await sql<{ unfinished: number }>`SELECT count(*)::int AS unfinished FROM (
    SELECT 1 FROM ${sql.table(name)} WHERE project_id = ${projectId}::uuid AND status IN ('queued', 'running') LIMIT ${max}
  ) AS rows`.execute(db);
  return rows[0]?.unfinished ?? 0;
}

async function insert<Payload extends ColumnTypes>(
  db: Database,
  { name, payload, key }: QueueTable<Payload, ColumnTypes, ColumnTypes>,
  projectId: string,
  jobs: ReadonlyArray<NewJob<Values<Payload>>>,
  { nowMs, join = sql``, joined = {} }: EnqueueOptions,
): Promise<void> {
  // Sorted, so that transactions that queue the same keys lock them in the same order and do not deadlock.
  const rows = key === null ? jobs : jobs.toSorted((left, right) => compare(left.payload[key.column], right.payload[key.column]));
  const columns = Object.keys(payload);
  const now = timestamp(nowMs);
  const arrays = columns.map((column) =>
    arrayOf(
      rows.map((row) => row.payload[column]),
      payload[column] ?? 'text',
    ),
  );
  await sql`INSERT INTO ${sql.table(name)}
      (id, project_id, lane, status, run_at, created_at, ${columnList([...columns, ...Object.keys(joined)])})
    SELECT new.id, ${projectId}::uuid, new.lane, 'queued', ${now}, ${now}, ${sql.join([
      columnList(columns, 'new.'),
      ...Object.values(joined),
    ])}
    FROM unnest(${arrayOf(
      rows.map(({ id }) => id ?? uuidv7()),
      'uuid',
    )}, ${arrayOf(
      rows.map(({ pool }) => pool),
      'text',
    )}, ${sql.join(arrays)}) WITH ORDINALITY AS new (id, lane, ${columnList(columns)}, place)
    ${join} ORDER BY new.place ${onConflict(name, key)}`.execute(db);
}

function onConflict(name: string, key: QueueTable<ColumnTypes, ColumnTypes, ColumnTypes>['key']): RawBuilder<unknown> {
  if (key === null) return sql``;
  const conflict = sql`ON CONFLICT (${columnList([key.column])}) WHERE status = 'queued'`;
  if (key.replaced.length === 0) return sql`${conflict} DO NOTHING`;
  const assignments = key.replaced.map((column) => sql`${columnList([column])} = ${columnList([column], 'excluded.')}`);
  return sql`${conflict} DO UPDATE SET ${sql.join(assignments)}
    WHERE (${columnList(key.replaced, `${name}.`)}) IS DISTINCT FROM (${columnList(key.replaced, 'excluded.')})`;
}

function compare(left: unknown, right: unknown): number {
  const [one, other] = [String(left), String(right)];
  return one < other ? -1 : Number(one > other);
}
