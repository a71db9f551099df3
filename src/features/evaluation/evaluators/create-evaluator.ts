import { v7 as uuidv7 } from 'uuid';
import type { Acting } from '../../../contract/actor.ts';
import type { EvaluatorBody, EvaluatorRecord } from '../../../contract/evaluations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { toEvaluator, toRecord } from '../evaluator.ts';
import { readExpression } from '../sampling/expression.ts';
import { checkConfig } from './checked-evaluator.ts';
import { recordEvaluator } from './record-evaluator.ts';
import { underFreeSlug } from './taken-slug.ts';

/** Evaluators of a project: every batch of spans is matched with all of them. */
export const maxEvaluators = 100;

/**
 * Creates an evaluator (docs/semantics.md, "Evaluators"). It evaluates data that arrives from now on.
 *
 * Errors: `invalid_request` for its configuration, `invalid_filter` for the expression of its filter, `conflict` when the slug is taken or the project has reached its maximum.
 */
export async function createEvaluator(
  context: Pick<EvaluationContext, 'db' | 'clock' | 'measures' | 'evaluators'>,
  acting: Acting,
  body: EvaluatorBody,
): Promise<EvaluatorRecord> {
  const { projectId } = acting;
  readExpression(body, context.clock.now());
  const config = await checkConfig(context, projectId, body.type, body.config);
  const { count } = await context.db
    .selectFrom('evaluators')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (count >= maxEvaluators) {
    throw new ServiceError(
      'conflict',
      `A project has at most ${maxEvaluators} evaluators; delete one that is not needed any more.`,
    );
  }
  const now = new Date(context.clock.now());
  const values = {
    id: uuidv7(),
    project_id: projectId,
    slug: body.slug,
    name: body.name ?? body.slug,
    type: body.type,
    config: JSON.stringify(config),
    target: body.target,
    filter: JSON.stringify(body.filter),
    sample_rate: body.sampleRate,
    pass_threshold: body.passThreshold,
    idle_minutes: body.idleMinutes,
    enabled: body.enabled,
    enabled_at: now,
    created_at: now,
    updated_at: now,
  };
  const made = await underFreeSlug(
    context.db.transaction().execute(async (transaction) => {
      const row = await transaction.insertInto('evaluators').values(values).returningAll().executeTakeFirstOrThrow();
      const evaluator = toEvaluator(row);
      await recordEvaluator(transaction, context.clock, acting, 'evaluator.created', evaluator);
      return evaluator;
    }),
  );
  context.evaluators.forget(projectId);
  return toRecord(made);
}
