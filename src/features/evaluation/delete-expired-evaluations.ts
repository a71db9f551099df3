import { sql } from 'kysely';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Plan } from '../../contract/plans.ts';
import type { QueueContext } from './evaluation-context.ts';

/** Maximum ended evaluations of a project; older ones are deleted. An evaluator of every span would otherwise fill the database. */
export const maxKept = 200_000;

/** Rows per DELETE: a long statement would block others. */
const chunkSize = 5_000;

/**
 * Deletes evaluations, and records of session evaluation, that are older than their plans' retention. Repeatable.
 *
 * @param maxEnded maximum ended evaluations of a project
 * @param signal stops it between two statements
 */
export async function deleteExpiredEvaluations(
  { db, clock }: Pick<QueueContext, 'db' | 'clock'>,
  projects: ReadonlyArray<{ projectId: string; plan: Plan }>,
  signal?: AbortSignal,
  maxEnded = maxKept,
): Promise<void> {
  for (const { projectId, plan } of projects) {
    const oldest = new Date(retentionCutoff(plan, clock.now())).toISOString();
    const batches = [
      () => sql`DELETE FROM evaluations WHERE id IN (
        SELECT id FROM evaluations WHERE project_id = ${projectId}::uuid AND created_at < ${oldest}::timestamptz LIMIT ${chunkSize})`,
      () => sql`DELETE FROM evaluations WHERE id IN (
        SELECT id FROM evaluations WHERE project_id = ${projectId}::uuid AND status IN ('completed', 'failed', 'skipped')
        ORDER BY finished_at DESC OFFSET ${maxEnded} LIMIT ${chunkSize})`,
      () => sql`DELETE FROM evaluation_sessions WHERE project_id = ${projectId}::uuid AND session_key IN (
        SELECT session_key FROM evaluation_sessions
        WHERE project_id = ${projectId}::uuid AND last_span_at < ${oldest}::timestamptz LIMIT ${chunkSize})`,
      () => sql`DELETE FROM session_completions WHERE (evaluator_id, session_key) IN (
        SELECT evaluator_id, session_key FROM session_completions JOIN evaluators e ON e.id = evaluator_id
        WHERE e.project_id = ${projectId}::uuid AND session_completions.last_span_at < ${oldest}::timestamptz LIMIT ${chunkSize})`,
    ];
    for (const batch of batches) {
      for (;;) {
        if (signal?.aborted) return;
        const { numAffectedRows } = await batch().execute(db);
        if (Number(numAffectedRows ?? 0) < chunkSize) break;
      }
    }
    await sql`DELETE FROM evaluation_refusals WHERE project_id = ${projectId}::uuid AND hour < ${oldest}::timestamptz`.execute(
      db,
    );
  }
}
