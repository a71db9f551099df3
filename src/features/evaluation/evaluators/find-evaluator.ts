import { looksLikeId } from '../../../contract/evaluations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { toEvaluator } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/**
 * Finds an evaluator of a project by its id, else by its slug. New slugs must not look like ids; older ones are found unless an evaluator
 * has that id.
 *
 * Errors: `not_found`.
 */
export async function findEvaluator(db: Database, projectId: string, idOrSlug: string): Promise<Evaluator> {
  const of = db.selectFrom('evaluators').selectAll().where('project_id', '=', projectId);
  const byId = looksLikeId(idOrSlug) ? await of.where('id', '=', idOrSlug).executeTakeFirst() : undefined;
  // PostgreSQL rejects NUL characters, which no slug contains.
  const row = byId ?? (idOrSlug.includes('\0') ? undefined : await of.where('slug', '=', idOrSlug).executeTakeFirst());
  if (row) return toEvaluator(row);
  throw noSuchEvaluator();
}

export function noSuchEvaluator(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such evaluator in this project; check its id or slug, or list the evaluators.',
  );
}
