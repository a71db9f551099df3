import { v7 as uuidv7 } from 'uuid';
import type { EvaluatorBody, EvaluatorRecord } from '../../../contract/evaluations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { toEvaluator, toRecord } from '../evaluator.ts';
import { checkConfig } from './checked-evaluator.ts';
import { underFreeSlug } from './taken-slug.ts';

/** Most evaluators of a project: every batch of spans is held against all of them. */
export const mostEvaluators = 100;

/**
 * Makes an evaluator (contract section 7). It evaluates what arrives from now on.
 *
 * Errors: `invalid_request` for its configuration, `conflict` when the slug is taken or the project has as many as it may.
 */
export async function createEvaluator(
  context: Pick<EvaluationContext, 'db' | 'clock' | 'measures' | 'evaluators'>,
  projectId: string,
  body: EvaluatorBody,
): Promise<EvaluatorRecord> {
  const config = await checkConfig(context, projectId, body.type, body.config);
  const { count } = await context.db
    .selectFrom('evaluators')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (count >= mostEvaluators) {
    throw new ServiceError(
      'conflict',
      `A project has at most ${mostEvaluators} evaluators; delete one that is not needed any more.`,
    );
  }
  const now = new Date(context.clock.now());
  const row = await underFreeSlug(
    context.db
      .insertInto('evaluators')
      .values({
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
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  context.evaluators.forget(projectId);
  return toRecord(toEvaluator(row));
}
