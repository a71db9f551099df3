import { sql } from 'kysely';
import type { Acting } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { findEvaluator } from './find-evaluator.ts';
import { recordEvaluator } from './record-evaluator.ts';

/**
 * Deletes an evaluator and its queued runs. Its scores and the records of its ended runs stay.
 *
 * Errors: `not_found`; `conflict` with `scenarios` while scenarios use it.
 */
export async function deleteEvaluator(
  {
    db,
    clock,
    evaluators,
    scenariosOfEvaluator,
  }: Pick<EvaluationContext, 'db' | 'clock' | 'evaluators' | 'scenariosOfEvaluator'>,
  acting: Acting,
  idOrSlug: string,
): Promise<void> {
  const { projectId } = acting;
  await db.transaction().execute(async (transaction) => {
    const evaluator = await findEvaluator(transaction, projectId, idOrSlug);
    const { id } = evaluator;
    // No scenario names it from now on.
    await sql`SELECT id FROM evaluators WHERE id = ${id}::uuid FOR UPDATE`.execute(transaction);
    const scenarios = await scenariosOfEvaluator(transaction, id);
    if (scenarios.length > 0)
      throw new ServiceError('conflict', 'Scenarios use this evaluator; take it out of them, or delete them first.', {
        extra: { scenarios },
      });
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
