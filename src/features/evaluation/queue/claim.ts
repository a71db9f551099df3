import { sql } from 'kysely';
import type { EvaluationTargetType } from '../../../contract/evaluations.ts';
import type { Target } from '../score-id.ts';
import type { EvaluationDb, LaneName } from '../tables.ts';

/** A queued evaluation that this process runs now. */
export interface Claimed {
  id: string;
  evaluatorId: string;
  scoreId: string;
  target: Target;
  /** With this one. */
  attempts: number;
  createdAtMs: number;
  /** To withdraw the score instead of giving one. */
  withdraws: boolean;
}

/** What one process runs of one project. */
export interface ProjectClaim {
  projectId: string;
  claimed: Claimed[];
}

/** How much is to be taken. */
export interface Room {
  /** In all. */
  most: number;
  /** That one project may have under way here. */
  mostOfProject: number;
  /** How many each project has under way here. */
  underWay: ReadonlyMap<string, number>;
}

/** How long after its last sign of life a process is taken for dead, and what it was running is run by another. */
export const leaseMs = 90_000;

interface ClaimedRow {
  id: string;
  evaluator_id: string;
  score_id: string;
  target_type: EvaluationTargetType;
  trace_id: string;
  span_id: string;
  session_id: string;
  run_item_id: string | null;
  attempts: number;
  created_at: Date;
  withdraws: boolean;
}

/**
 * Takes evaluations that are due from the queue, of one project at a time and of each in its turn, so that one project's many do not keep
 * the others waiting. Two processes never take the same one, nor do two runs of one evaluator on one target overlap.
 */
export class Claims {
  readonly #db: EvaluationDb;
  /** The project that had its turn last, by lane. */
  readonly #last = new Map<LaneName, string>();

  constructor(db: EvaluationDb) {
    this.#db = db;
  }

  /** null: nothing is due. */
  async take(lane: LaneName, { most, mostOfProject, underWay }: Room, nowMs: number): Promise<ProjectClaim | null> {
    const full = [...underWay.keys()].filter((id) => (underWay.get(id) ?? 0) >= mostOfProject);
    const first = await this.#nextProject(lane, full, nowMs);
    for (let projectId = first; projectId !== null; projectId = await this.#nextProject(lane, full, nowMs)) {
      this.#last.set(lane, projectId);
      const room = Math.min(most, mostOfProject - (underWay.get(projectId) ?? 0));
      const claimed = await this.#claim(lane, projectId, room, nowMs);
      if (claimed.length > 0) return { projectId, claimed };
      // All of them wait for a run under way, or another process was faster. Once around is enough.
      if ((await this.#nextProject(lane, full, nowMs)) === first) return null;
    }
    return null;
  }

  async #nextProject(lane: LaneName, full: readonly string[], nowMs: number): Promise<string | null> {
    const due = sql`lane = ${lane} AND status = 'queued' AND run_at <= ${new Date(nowMs).toISOString()}::timestamptz
      AND project_id <> ALL(${full}::uuid[])`;
    const last = this.#last.get(lane) ?? lowestUuid;
    const { rows } = await sql<{ project_id: string }>`
      (SELECT 0 AS round, project_id FROM evaluations WHERE ${due} AND project_id > ${last}::uuid ORDER BY project_id LIMIT 1)
      UNION ALL
      (SELECT 1 AS round, project_id FROM evaluations WHERE ${due} ORDER BY project_id LIMIT 1)
      ORDER BY round LIMIT 1`.execute(this.#db);
    return rows[0]?.project_id ?? null;
  }

  async #claim(lane: LaneName, projectId: string, most: number, nowMs: number): Promise<Claimed[]> {
    const now = new Date(nowMs).toISOString();
    const lease = new Date(nowMs + leaseMs).toISOString();
    // What runs is few: held against each row as an array, not joined, which would look at all rows that wait.
    // Materialized: as a subquery it may be carried out several times, each time past the rows that it has locked, and the limit is none.
    const { rows } = await sql<ClaimedRow>`WITH due AS MATERIALIZED (
        SELECT id FROM evaluations
        WHERE lane = ${lane} AND project_id = ${projectId}::uuid AND status = 'queued' AND run_at <= ${now}::timestamptz
          AND score_id <> ALL (ARRAY(SELECT score_id FROM evaluations WHERE status = 'running'))
        ORDER BY run_at, id LIMIT ${most}
        FOR UPDATE SKIP LOCKED
      )
      UPDATE evaluations SET status = 'running', attempts = attempts + 1, started_at = ${now}::timestamptz,
        lease_until = ${lease}::timestamptz
      FROM due WHERE evaluations.id = due.id AND evaluations.status = 'queued'
      RETURNING evaluations.id, evaluator_id, score_id, target_type, trace_id, span_id, session_id, run_item_id, attempts, created_at,
        withdraws`.execute(this.#db);
    return rows.map(toClaimed);
  }
}

const lowestUuid = '00000000-0000-0000-0000-000000000000';

function toClaimed(row: ClaimedRow): Claimed {
  return {
    id: row.id,
    evaluatorId: row.evaluator_id,
    scoreId: row.score_id,
    target: {
      type: row.target_type,
      traceId: row.trace_id,
      spanId: row.span_id,
      sessionId: row.session_id === '' ? '' : (JSON.parse(row.session_id) as string),
      runItemId: row.run_item_id ?? '',
    },
    attempts: row.attempts,
    createdAtMs: row.created_at.getTime(),
    withdraws: row.withdraws,
  };
}

/** Says that this process still runs these. */
export async function renewLeases(db: EvaluationDb, ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return;
  await sql`UPDATE evaluations SET lease_until = ${new Date(nowMs + leaseMs).toISOString()}::timestamptz
    WHERE id = ANY(${ids}::uuid[]) AND status = 'running'`.execute(db);
}
