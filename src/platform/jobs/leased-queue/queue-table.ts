import { sql } from 'kysely';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';
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
 * Describes a table that is a queue: a row is both the job and the record of what became of it. Every queue has a table of its own
 * (ADR 0015). Beside its own columns it has these:
 *
 *     id          uuid PRIMARY KEY            time-ordered (UUIDv7)
 *     project_id  uuid NOT NULL               projects take turns, and are limited one by one
 *     lane        text NOT NULL               the worker pool that runs it
 *     status      text NOT NULL               'queued', 'running', 'failed' or another final status of the table
 *     attempts    integer NOT NULL DEFAULT 0  that count, the running one included
 *     run_at      timestamptz NOT NULL        not to be run before
 *     lease_until timestamptz                 while running: when the job is taken from its process
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
  /** Columns that say what the job is; written when it is queued and read when it is claimed. */
  payload: Payload;
  /** Columns that are written when the job ends. */
  results: Results;
  /** Columns to which every attempt adds: tokens, costs. */
  sums: Sums;
  /**
   * Names what a job is about: a key waits at most once, and two jobs of one key never run at the same time. null: every job is about
   * something of its own.
   */
  key: {
    column: keyof Payload & string;
    /** The unique index over queued keys. */
    index: string;
    /** Payload columns that a job takes over from a later one of the same key. */
    replaced: ReadonlyArray<keyof Payload & string>;
  } | null;
}

/** A database or a transaction, whatever tables it knows. */
export type QueueDb = QueryExecutorProvider;

/** A database, whatever tables it knows. */
export interface QueueDatabase extends QueueDb {
  transaction(): { execute<T>(work: (transaction: QueueDb) => Promise<T>): Promise<T> };
}

/** A job that this process runs. */
export interface LeasedJob<Payload> {
  id: string;
  projectId: string;
  /** Names the claim; whatever is written about the job names it, so that a process that has lost the job changes nothing. */
  leaseId: string;
  /** That count, this one included. */
  attempts: number;
  createdAtMs: number;
  payload: Payload;
}

/** What became of a run of a job. */
export type JobOutcome<Results, Sums> =
  /** The job is over. */
  | { kind: 'ended'; status: string; error?: string | null; results?: Partial<Results>; sums?: Partial<Sums> }
  /** The job is queued again; `counts`: the attempt is one of those that a job has. */
  | { kind: 'retry'; error: string | null; afterMs: number; counts: boolean; sums?: Partial<Sums> }
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
