import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { columnList, timestamp } from './queue-table.ts';
import type { ColumnTypes, LeasedJob, QueueTable, Values } from './queue-table.ts';
import type { Database } from '../../postgres/index.ts';

/** Jobs of one project that this process runs. */
export interface ProjectClaim<Payload> {
  projectId: string;
  jobs: Array<LeasedJob<Payload>>;
}

/** How many jobs may be claimed. */
export interface ClaimLimits {
  /** In total. */
  max: number;
  /** Per project, including its jobs that run in this process. */
  maxOfProject: number;
  /** Number of jobs that run in this process, by project. */
  runningOf: ReadonlyMap<string, number>;
}

const lowestUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Claims due jobs of one project with a lease. Projects take turns, so that a project with many jobs does not delay the others. Concurrent claims
 * never get the same job, or jobs with the same key.
 */
export class Claims<Payload extends ColumnTypes> {
  readonly #db: Database;
  readonly #table: QueueTable<Payload, ColumnTypes, ColumnTypes>;
  readonly #leaseMs: number;
  /** The project of the last claim, by worker pool. */
  readonly #lastProject = new Map<string, string>();

  constructor(db: Database, table: QueueTable<Payload, ColumnTypes, ColumnTypes>, leaseMs: number) {
    this.#db = db;
    this.#table = table;
    this.#leaseMs = leaseMs;
  }

  /** Jobs of the next project in turn that has due ones; null when no project has. */
  async take(pool: string, limits: ClaimLimits, nowMs: number): Promise<ProjectClaim<Values<Payload>> | null> {
    const { max, maxOfProject, runningOf } = limits;
    const full = [...runningOf.keys()].filter((id) => (runningOf.get(id) ?? 0) >= maxOfProject);
    const tried = new Set<string>();
    for (;;) {
      const projectId = await this.#nextProject(pool, full, nowMs);
      if (projectId === null || tried.has(projectId)) return null;
      tried.add(projectId);
      this.#lastProject.set(pool, projectId);
      const room = Math.min(max, maxOfProject - (runningOf.get(projectId) ?? 0));
      const jobs = await this.#claim(pool, projectId, room, nowMs);
      if (jobs.length > 0) return { projectId, jobs };
      // None claimable: the due jobs have a key that is running, or another process claimed them. Each project is tried once.
    }
  }

  async #nextProject(pool: string, full: readonly string[], nowMs: number): Promise<string | null> {
    const table = sql.table(this.#table.name);
    const due = sql`lane = ${pool} AND status = 'queued' AND run_at <= ${timestamp(nowMs)} AND project_id <> ALL(${full}::uuid[])`;
    const last = this.#lastProject.get(pool) ?? lowestUuid;
    const { rows } = await sql<{ project_id: string }>`
      (SELECT 0 AS round, project_id FROM ${table} WHERE ${due} AND project_id > ${last}::uuid ORDER BY project_id LIMIT 1)
      UNION ALL
      (SELECT 1 AS round, project_id FROM ${table} WHERE ${due} ORDER BY project_id LIMIT 1)
      ORDER BY round LIMIT 1`.execute(this.#db);
    return rows[0]?.project_id ?? null;
  }

  async #claim(pool: string, projectId: string, max: number, nowMs: number): Promise<Array<LeasedJob<Values<Payload>>>> {
    const { name, payload, key } = this.#table;
    const table = sql.table(name);
    const leaseId = uuidv7();
    // As an array: a join would scan every queued row, and few jobs run.
    const keyIsFree =
      key === null
        ? sql``
        : sql`AND ${columnList([key.column])} <> ALL (ARRAY(SELECT ${columnList([key.column])} FROM ${table} WHERE status = 'running'))`;
    // Materialized: PostgreSQL may run a subquery several times, each time skipping the rows that it has locked, and exceed the limit.
    const { rows } = await sql<ClaimedRow>`WITH due AS MATERIALIZED (
        SELECT id FROM ${table}
        WHERE lane = ${pool} AND project_id = ${projectId}::uuid AND status = 'queued' AND run_at <= ${timestamp(nowMs)} ${keyIsFree}
        ORDER BY run_at, id LIMIT ${max}
        FOR UPDATE SKIP LOCKED
      )
      UPDATE ${table} AS job SET status = 'running', attempts = attempts + 1, started_at = ${timestamp(nowMs)},
        lease_id = ${leaseId}::uuid, lease_until = ${timestamp(nowMs + this.#leaseMs)}
      FROM due WHERE job.id = due.id AND job.status = 'queued'
      RETURNING job.id, job.attempts, job.created_at, ${columnList(Object.keys(payload), 'job.')}`.execute(this.#db);
    return rows.map(({ id, attempts, created_at: createdAt, ...own }) => ({
      id,
      projectId,
      leaseId,
      attempts,
      createdAtMs: createdAt.getTime(),
      // The columns are those of the description.
      payload: own as unknown as Values<Payload>,
    }));
  }
}

interface ClaimedRow {
  id: string;
  attempts: number;
  created_at: Date;
}
