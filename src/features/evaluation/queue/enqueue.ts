import { sql } from 'kysely';
import { poolOf } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import type { QueueContext } from '../evaluation-context.ts';
import { scoreIdOf } from '../score-id.ts';
import type { Target } from '../score-id.ts';
import { targetColumns } from './evaluation-jobs.ts';
import type { Database } from '../../../platform/postgres/index.ts';
import { hourMs } from '../../../contract/durations.ts';

/** One evaluator to be run on one target. */
export interface Candidate {
  evaluator: Evaluator;
  target: Target;
  /** The target no longer matches the evaluator's filter: its score is withdrawn. */
  withdraws?: true;
}

interface EnqueueOptions {
  /** Maximum unfinished evaluations of the project; further ones are refused and counted. `Infinity` if the caller checks the limit. */
  limit: number;
  /** Candidates that the caller dropped because the queue is full; counted as refused. */
  beyond?: number;
}

/**
 * Queues evaluations in one project. A target that is already queued for the evaluator is not queued twice; the last request decides whether its
 * score is withdrawn. Evaluators that were deleted or disabled meanwhile are skipped. May be repeated.
 *
 * @param db the caller's transaction: the evaluations are durable when it commits
 * @returns how many were refused because the queue is full
 */
export async function enqueue(
  { jobs, clock }: Pick<QueueContext, 'jobs' | 'clock'>,
  db: Database,
  projectId: string,
  candidates: readonly Candidate[],
  { limit, beyond = 0 }: EnqueueOptions,
): Promise<number> {
  if (candidates.length + beyond === 0) return 0;
  const queued = candidates.map(({ evaluator, target, withdraws = false }) => ({
    pool: poolOf(evaluator.type),
    payload: { evaluator_id: evaluator.id, score_id: scoreIdOf(evaluator, target), withdraws, ...targetColumns(target) },
  }));
  const full = await jobs.enqueue(db, projectId, queued, {
    limit,
    join: sql`JOIN evaluators e ON e.id = new.evaluator_id AND e.project_id = ${projectId}::uuid AND e.enabled`,
    joined: { evaluator: sql`e.slug` },
  });
  const refused = full + beyond;
  if (refused > 0) await countRefused(db, projectId, refused, clock.now());
  return refused;
}

async function countRefused(db: Database, projectId: string, refused: number, nowMs: number): Promise<void> {
  const hour = new Date(Math.floor(nowMs / hourMs) * hourMs).toISOString();
  await sql`INSERT INTO evaluation_refusals (project_id, hour, refused)
    SELECT id, ${hour}::timestamptz, ${refused}::bigint FROM projects WHERE id = ${projectId}::uuid
    ON CONFLICT (project_id, hour) DO UPDATE SET refused = evaluation_refusals.refused + excluded.refused`.execute(db);
}
