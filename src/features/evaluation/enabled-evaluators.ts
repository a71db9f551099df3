import type { EvaluatorTarget } from '../../contract/evaluators.ts';
import { toEvaluator } from './evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** The enabled evaluators of a target by project id, of all projects. */
export async function enabledEvaluators(db: Database, target: EvaluatorTarget): Promise<Map<string, Evaluator[]>> {
  const rows = await db
    .selectFrom('evaluators')
    .selectAll()
    .where('enabled', '=', true)
    .where('target', '=', target)
    .orderBy('project_id')
    .orderBy('id')
    .execute();
  return Map.groupBy(rows.map(toEvaluator), ({ projectId }) => projectId);
}
