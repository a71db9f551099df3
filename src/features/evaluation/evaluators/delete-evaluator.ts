import type { EvaluationContext } from '../evaluation-context.ts';
import { findEvaluator } from './find-evaluator.ts';

/**
 * Deletes an evaluator with what it was still to do. Its scores stay, and so does the record of its runs.
 *
 * Errors: `not_found`.
 */
export async function deleteEvaluator(
  { db, evaluators }: Pick<EvaluationContext, 'db' | 'evaluators'>,
  projectId: string,
  idOrSlug: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { id } = await findEvaluator(transaction, projectId, idOrSlug);
    await transaction.deleteFrom('evaluators').where('id', '=', id).execute();
    await transaction
      .deleteFrom('evaluations')
      .where('evaluator_id', '=', id)
      .where('project_id', '=', projectId)
      .where('status', '=', 'queued')
      .execute();
  });
  evaluators.forget(projectId);
}
