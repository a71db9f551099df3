import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { laneOf } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import { scoreIdOf } from '../score-id.ts';
import type { Target } from '../score-id.ts';
import type { EvaluationTables } from '../tables.ts';

/** One evaluator to be run on one target. */
export interface Wanted {
  evaluator: Evaluator;
  target: Target;
  /** The target no longer fits the evaluator: its score is to be withdrawn. */
  withdraws?: true;
}

interface EnqueueOptions {
  nowMs: number;
  /** Evaluations that may wait in the project; what comes beyond is refused and counted. `Infinity` where the caller has looked. */
  limit: number;
  /** How many more were wanted, of which the caller knows that they find no room: they are counted as refused. */
  beyond?: number;
}

const hourMs = 3_600_000;
/** Rows of one statement. */
const chunkSize = 1_000;

/**
 * Queues evaluations in one project, durably once the transaction is. What waits already is not queued twice, and does what was wanted last; what is of an evaluator that
 * was deleted or disabled meanwhile is left out. May be repeated.
 *
 * @returns how many found the queue full
 */
export async function enqueue(
  db: Kysely<EvaluationTables> | Transaction<EvaluationTables>,
  projectId: string,
  wanted: readonly Wanted[],
  { nowMs, limit, beyond = 0 }: EnqueueOptions,
): Promise<number> {
  if (wanted.length + beyond === 0) return 0;
  const room = limit === Number.POSITIVE_INFINITY ? limit : Math.max(0, limit - (await waitingIn(db, projectId, limit)));
  const taken = wanted.slice(0, room);
  for (let at = 0; at < taken.length; at += chunkSize) await insert(db, projectId, taken.slice(at, at + chunkSize), nowMs);
  const refused = wanted.length - taken.length + beyond;
  if (refused > 0) await countRefused(db, projectId, refused, nowMs);
  return refused;
}

/** Evaluations of a project that are queued or running, counted up to `most`. */
export async function waitingIn(db: Kysely<EvaluationTables>, projectId: string, most: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`SELECT count(*) AS waiting FROM (
    SELECT 1 FROM evaluations WHERE project_id = ${projectId}::uuid AND status IN ('queued', 'running') LIMIT ${most}
  ) AS rows`.execute(db);
  return rows[0]?.waiting ?? 0;
}

async function insert(db: Kysely<EvaluationTables>, projectId: string, wanted: readonly Wanted[], nowMs: number): Promise<void> {
  // In one order everywhere: two that queue the same targets would otherwise wait for each other.
  const rows = wanted.map((one) => ({ ...one, scoreId: scoreIdOf(one.evaluator, one.target) })).sort(byScoreId);
  const now = new Date(nowMs).toISOString();
  await sql`INSERT INTO evaluations
      (id, project_id, evaluator_id, evaluator, lane, target_type, trace_id, span_id, session_id, run_item_id, score_id, withdraws, status, run_at, created_at)
    SELECT new.id, ${projectId}::uuid, e.id, e.slug, new.lane, new.target_type, new.trace_id, new.span_id, new.session_id,
      nullif(new.run_item_id, '')::uuid, new.score_id, new.withdraws, 'queued', ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(
      ${rows.map(() => uuidv7())}::uuid[], ${rows.map(({ evaluator }) => evaluator.id)}::uuid[],
      ${rows.map(({ evaluator }) => laneOf(evaluator.type))}::text[], ${rows.map(({ target }) => target.type)}::text[],
      ${rows.map(({ target }) => target.traceId)}::text[], ${rows.map(({ target }) => target.spanId)}::text[],
      ${rows.map(({ target }) => (target.sessionId === '' ? '' : JSON.stringify(target.sessionId)))}::text[],
      ${rows.map(({ target }) => target.runItemId)}::text[], ${rows.map(({ scoreId }) => scoreId)}::uuid[],
      ${rows.map(({ withdraws }) => withdraws ?? false)}::bool[]
    ) WITH ORDINALITY
      AS new (id, evaluator_id, lane, target_type, trace_id, span_id, session_id, run_item_id, score_id, withdraws, place)
    JOIN evaluators e ON e.id = new.evaluator_id AND e.project_id = ${projectId}::uuid AND e.enabled
    ORDER BY new.place
    ON CONFLICT (score_id) WHERE status = 'queued' DO UPDATE SET withdraws = excluded.withdraws
      WHERE evaluations.withdraws <> excluded.withdraws`.execute(db);
}

async function countRefused(db: Kysely<EvaluationTables>, projectId: string, refused: number, nowMs: number): Promise<void> {
  const hour = new Date(Math.floor(nowMs / hourMs) * hourMs).toISOString();
  await sql`INSERT INTO evaluation_refusals (project_id, hour, refused)
    SELECT id, ${hour}::timestamptz, ${refused}::bigint FROM projects WHERE id = ${projectId}::uuid
    ON CONFLICT (project_id, hour) DO UPDATE SET refused = evaluation_refusals.refused + excluded.refused`.execute(db);
}

function byScoreId(left: { scoreId: string }, right: { scoreId: string }): number {
  return left.scoreId < right.scoreId ? -1 : Number(left.scoreId > right.scoreId);
}
