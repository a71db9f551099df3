import { sql } from 'kysely';
import type { EvaluatorRecord } from '../../../contract/evaluations.ts';
import type { ListQuery } from '../../../contract/identity.ts';
import { decodeCursor, pageOf } from '../../../contract/page.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { toEvaluator, toRecord } from '../evaluator.ts';

/** The evaluators of a project, oldest first. Errors: `invalid_request` for a cursor of another list. */
export async function listEvaluators(
  { db }: Pick<EvaluationContext, 'db'>,
  projectId: string,
  { limit, cursor }: ListQuery,
): Promise<{ evaluators: EvaluatorRecord[]; nextCursor: string | null }> {
  const after = decodeCursor(cursor);
  let select = db.selectFrom('evaluators').selectAll().where('project_id', '=', projectId);
  if (after) select = select.where(sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`);
  const rows = await select
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  const { items, nextCursor } = pageOf(rows.map(toEvaluator).map(toRecord), limit);
  return { evaluators: items, nextCursor };
}
