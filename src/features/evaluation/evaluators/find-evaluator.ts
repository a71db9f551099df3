import type { Kysely } from 'kysely';
import { looksLikeId } from '../../../contract/evaluations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { toEvaluator } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import type { EvaluationTables } from '../tables.ts';

/**
 * An evaluator of a project by its id, else by its slug. A slug that looks like an id is refused; one from before that was is found
 * where no evaluator has that id.
 *
 * Errors: `not_found`.
 */
export async function findEvaluator(db: Kysely<EvaluationTables>, projectId: string, idOrSlug: string): Promise<Evaluator> {
  const of = db.selectFrom('evaluators').selectAll().where('project_id', '=', projectId);
  const byId = looksLikeId(idOrSlug) ? await of.where('id', '=', idOrSlug).executeTakeFirst() : undefined;
  // PostgreSQL takes no NUL character, and no slug has one.
  const row = byId ?? (idOrSlug.includes('\0') ? undefined : await of.where('slug', '=', idOrSlug).executeTakeFirst());
  if (row) return toEvaluator(row);
  throw new ServiceError(
    'not_found',
    'There is no such evaluator in this project; check its id or slug, or list the evaluators that there are.',
  );
}
