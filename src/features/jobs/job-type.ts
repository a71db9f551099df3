import type { Actor } from '../../contract/actor.ts';
import type { JobError, JobResult } from '../../contract/jobs.ts';
import type { Permission } from '../../contract/permissions.ts';
import type { KeyScopes } from '../../platform/http/index.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

/**
 * What a feature does in durable jobs (docs/semantics/jobs.md, "Durable jobs"). A feature registers a type when it is opened, and gets the function that makes its jobs:
 *
 *     const deletions = jobs.register<{ userId: string }>({
 *       type: 'deleteUser',
 *       permission: 'traces:delete',
 *       byKey: false,
 *       pageSize: 200,
 *       run: async ({ items, noted, note, job, signal }) => {
 *         const found = await pipeline.deleteTraces(tenantOf(job), items, (transaction, begun) => note(transaction, begun.map(({ traceId }) => traceId)));
 *         const failed = items.filter((id) => !found.has(id) && !noted.has(id)).map((id) => ({ id, error: 'There is no such trace.' }));
 *         return { failed, state: { traces: (job.state?.traces ?? 0) + items.length - failed.length } };
 *       },
 *       finish: async (job) => ({ receipt: receiptOf(job) }),
 *     });
 *     // In a verb; `sets` is an async iterable of arrays of ids, which are stored before the answer 202.
 *     const job = await deletions.create(acting, { userId }, sets, (transaction, jobId) => recordAudit(transaction, ...));
 *
 * The runner calls `run` for each page of the set in its order, and records what it returns as progress; `done` and `failed` of the job's record add up to `matched`.
 * A page may be run more than once: after a crash, an error or a lost lease. What an earlier attempt did irrevocably it notes with `note` in the transaction that
 * makes it irrevocable; the next attempt finds it in `noted` and counts it as done. What is written to PostgreSQL alone calls `record` in its own transaction
 * instead, so that both commit together. `run` that throws is tried again; `JobFailed` ends the job with status `failed`.
 */
export interface JobType<Input, State> {
  type: string;
  /** Who may cancel such jobs, and may make them. */
  permission: Permission;
  /** What an API key needs of scopes; false: keys may not. */
  byKey: KeyScopes | false;
  /** Ids of one page: one call of `run`, which should take about a second. */
  pageSize: number;
  /** Does one page; see above. */
  run(step: JobStep<Input, State>): Promise<StepOutcome<State>>;
  /** Called when every page is recorded; may be called again. @returns what the job's record shows as `result` */
  finish?(job: RunningJob<Input, State>): Promise<JobResult | null>;
  /** Called when the job was cancelled or has failed; removes what it has left. May be called again. */
  abandon?(job: RunningJob<Input, State>): Promise<void>;
  /** The file that a completed job made; null when it is gone. */
  download?(job: RunningJob<Input, State>): Promise<JobFile | null>;
}

/** A file for `GET .../jobs/{jobId}/download`. */
export interface JobFile {
  path: string;
  /** Suggested to the client. */
  name: string;
  mediaType: string;
}

export interface RunningJob<Input, State> {
  id: string;
  projectId: string;
  organizationId: string;
  /** Who made it. */
  actor: Actor;
  createdAtMs: number;
  input: Input;
  matched: number;
  /** What `run` returned last; null before. */
  state: State | null;
}

export interface JobStep<Input, State> {
  job: RunningJob<Input, State>;
  /** From 0. */
  page: number;
  isLast: boolean;
  items: readonly string[];
  /** Those of `items` that an earlier attempt has noted as done. */
  noted: ReadonlySet<string>;
  /** Aborts when another process has the job or this one closes. */
  signal: AbortSignal;
  /** Notes in the caller's transaction what it makes irrevocable. Rejects when another process has the job. */
  note(transaction: Transaction, items: readonly string[]): Promise<void>;
  /** Records the page in the caller's transaction; the outcome is then not recorded again. Rejects when another process has the job. */
  record(transaction: Transaction, outcome: StepOutcome<State>): Promise<void>;
}

export interface StepOutcome<State> {
  /** The items that could not be done; the others are done. */
  failed: readonly JobError[];
  /** Kept between pages; absent: as before. */
  state?: State;
  /** Goes back to the first page, with nothing done: what was made of earlier pages is not here. */
  restart?: boolean;
}

/** The job cannot be completed, now or later; the message is shown. */
export class JobFailed extends Error {}

/** A type as the runner sees it: what its jobs hold is the type's own. */
export type AnyJobType = JobType<never, never>;
