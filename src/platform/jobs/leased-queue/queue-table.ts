import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { cutText, storableText } from '../../text/index.ts';

/** PostgreSQL types of a table's own columns. */
export type ColumnType = 'uuid' | 'text' | 'int' | 'bigint' | 'float8' | 'bool';
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

interface ValueOf {
  uuid: string;
  text: string;
  int: number;
  bigint: number;
  float8: number;
  bool: boolean;
}

/** Values of columns by name. */
export type Values<Columns extends ColumnTypes> = { [Name in keyof Columns]: ValueOf[Columns[Name]] | null };

/**
 * Describes a table that is a queue: a row is both the job and the record of its outcome. Every queue has its own table (ADR 0015). Besides its own
 * columns it has:
 *
 *     id          uuid PRIMARY KEY            time-ordered (UUIDv7)
 *     project_id  uuid NOT NULL               projects take turns and have separate limits
 *     lane        text NOT NULL               the worker pool that runs it
 *     status      text NOT NULL               'queued', 'running', 'failed' or another final status of the table
 *     attempts    integer NOT NULL DEFAULT 0  counted attempts, the running one included
 *     run_at      timestamptz NOT NULL        earliest time of the next run
 *     lease_until timestamptz                 while running: when the lease expires
 *     lease_id    uuid                        while running: the claim that holds it
 *     error       text                        of the last failed attempt
 *     created_at  timestamptz NOT NULL
 *     started_at  timestamptz                 of the last attempt
 *     finished_at timestamptz
 *
 * and these indexes: (lane, project_id, run_at, id) WHERE status = 'queued'; (lease_until) WHERE status = 'running';
 * (project_id) WHERE status IN ('queued', 'running'); and with a key, unique (key) WHERE status = 'queued'.
 */
export interface QueueTable<Payload extends ColumnTypes, Results extends ColumnTypes, Sums extends ColumnTypes> {
  name: string;
  /** Payload columns; written when the job is queued and read when it is claimed. */
  payload: Payload;
  /** Columns that outcomes write. A payload column may be among them: the next attempt reads what this one wrote. */
  results: Results;
  /** Columns to which every attempt adds: tokens, costs. */
  sums: Sums;
  /**
   * The key column: a key is queued at most once, and jobs with the same key never run concurrently. null: jobs have no key.
   */
  key: {
    column: keyof Payload & string;
    /** The unique index over queued keys. */
    index: string;
    /** Payload columns of a queued job that a later job with the same key overwrites. */
    replaced: ReadonlyArray<keyof Payload & string>;
  } | null;
}

/** A job that this process runs. */
export interface LeasedJob<Payload> {
  id: string;
  projectId: string;
  /** Identifies the claim. Every write about the job checks it, so that a process that has lost the job changes nothing. */
  leaseId: string;
  /** Counted attempts, this one included. */
  attempts: number;
  createdAtMs: number;
  payload: Payload;
}

/** The outcome of a run of a job. */
export type JobOutcome<Results, Sums> =
  /** The job is over. */
  | { kind: 'ended'; status: string; error?: string | null; results?: Partial<Results>; sums?: Partial<Sums> }
  /** The job is queued again; `counts`: whether the attempt counts towards the maximum. */
  | { kind: 'retry'; error: string | null; afterMs: number; counts: boolean; results?: Partial<Results>; sums?: Partial<Sums> }
  /** The job is deleted and leaves no record. */
  | { kind: 'removed' };

/** `${values}::type[]`, a parameter. */
export function arrayOf(values: readonly unknown[], type: ColumnType): RawBuilder<unknown> {
  return sql`${values}::${sql.raw(type)}[]`;
}

/** Names, separated by commas. */
export function columnList(names: readonly string[], prefix = ''): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.raw(`${prefix}"${name}"`)));
}

export function timestamp(ms: number): RawBuilder<unknown> {
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}

const maxErrorLength = 20_000;

/** An error text that PostgreSQL can store: cut, without NUL characters and lone surrogates. */
export function storableError(text: string | null): string | null {
  return text === null ? null : storableText(cutText(text, maxErrorLength));
}
