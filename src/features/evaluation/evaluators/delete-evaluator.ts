import type { Acting } from '../../../contract/actor.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { findEvaluator } from './find-evaluator.ts';
import { recordEvaluator } from './record-evaluator.ts';

/**
 * Deletes an evaluator and its queued runs. Its scores and the records of its ended runs stay.
 *
 * Errors: `not_found`.
 */
export async function deleteEvaluator(
  { db, clock, evaluators }: Pick<EvaluationContext, 'db' | 'clock' | 'evaluators'>,
  acting: Acting,
  idOrSlug: string,
): Promise<void> {
  const { projectId } = acting;
  await db.transaction().execute(async (transaction) => {
    const evaluator = await findEvaluator(transaction, projectId, idOrSlug);
    const { id } = evaluator;
    const deleted = await transaction.deleteFrom('evaluators').where('id', '=', id).returning('id').execute();
    await transaction
      .deleteFrom('evaluations')
      .where('evaluator_id', '=', id)
      .where('project_id', '=', projectId)
      .where('status', '=', 'queued')
      .execute();
    // Of two concurrent deletions one finds the row.
    if (deleted.length > 0) await recordEvaluator(transaction, clock, acting, 'evaluator.deleted', evaluator);
  });
  evaluators.forget(projectId);
}
