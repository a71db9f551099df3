import type { Kysely } from 'kysely';
import { ServiceError } from '../../../contract/errors.ts';
import { toEvaluator } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import type { EvaluationTables } from '../tables.ts';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * An evaluator of a project by its id, else by its slug.
 *
 * Errors: `not_found`.
 */
export async function findEvaluator(db: Kysely<EvaluationTables>, projectId: string, idOrSlug: string): Promise<Evaluator> {
  const of = db.selectFrom('evaluators').selectAll().where('project_id', '=', projectId);
  const id = idOrSlug.toLowerCase();
  const byId = uuidPattern.test(id) ? await of.where('id', '=', id).executeTakeFirst() : undefined;
  // PostgreSQL takes no NUL character, and no slug has one.
  const row = byId ?? (idOrSlug.includes('\0') ? undefined : await of.where('slug', '=', idOrSlug).executeTakeFirst());
  if (row) return toEvaluator(row);
  throw new ServiceError(
    'not_found',
    'There is no such evaluator in this project; check its id or slug, or list the evaluators that there are.',
  );
}
