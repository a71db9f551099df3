import type { EvaluatorRecord } from '../../../contract/evaluations.ts';
import type { ListQuery } from '../../../contract/identity.ts';
import { byCreation } from '../../../platform/keyset/index.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { toEvaluator, toRecord } from '../evaluator.ts';

const oldestFirst = byCreation('asc');

/** The evaluators of a project, oldest first. Errors: `invalid_request` for a cursor of another list. */
export async function listEvaluators(
  { db }: Pick<EvaluationContext, 'db'>,
  projectId: string,
  query: ListQuery,
): Promise<{ evaluators: EvaluatorRecord[]; nextCursor: string | null }> {
  const select = db.selectFrom('evaluators').selectAll().where('project_id', '=', projectId);
  const { rows, nextCursor } = await oldestFirst.read(select, query);
  return { evaluators: rows.map(toEvaluator).map(toRecord), nextCursor };
}
