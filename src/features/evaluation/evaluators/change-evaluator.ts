import type { EvaluatorChange, EvaluatorRecord } from '../../../contract/evaluations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { toEvaluator, toRecord } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import { checkConfig } from './checked-evaluator.ts';
import { findEvaluator } from './find-evaluator.ts';
import { underFreeSlug } from './taken-slug.ts';

type Changing = Pick<EvaluationContext, 'db' | 'clock' | 'measures' | 'evaluators'>;

const mostTries = 5;

/**
 * Changes an evaluator: what is not named stays. Scores that it has given stay as they are, under the slug that they were given under;
 * what changes counts for evaluations that run from now on.
 *
 * Errors: `not_found`; `invalid_request` when the configuration does not fit the type; `conflict` when the slug is taken.
 */
export async function changeEvaluator(
  context: Changing,
  projectId: string,
  idOrSlug: string,
  change: EvaluatorChange,
): Promise<EvaluatorRecord> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const before = await findEvaluator(context.db, projectId, idOrSlug);
    const checksConfig = change.config !== undefined || change.type !== undefined;
    const config = checksConfig
      ? await checkConfig(context, projectId, change.type ?? before.type, change.config ?? before.config)
      : undefined;
    const changed = await underFreeSlug(write(context, before, change, config));
    if (!changed) continue;
    context.evaluators.forget(projectId);
    return toRecord(changed);
  }
  throw new ServiceError('conflict', 'This evaluator is being changed by somebody else; look at it, and try again.');
}

/** null: type and configuration, which were checked together, are no longer those of `before`. */
async function write(
  { db, clock }: Changing,
  before: Evaluator,
  change: EvaluatorChange,
  config: Evaluator['config'] | undefined,
): Promise<Evaluator | null> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction.selectFrom('evaluators').selectAll().where('id', '=', before.id).forUpdate().executeTakeFirst();
    const changesType = row?.type !== before.type || row.config !== JSON.stringify(before.config);
    if (!row || (config !== undefined && changesType)) return null;
    const now = new Date(clock.now());
    const updated = await transaction
      .updateTable('evaluators')
      .set({
        ...given('slug', change.slug),
        ...given('name', change.name),
        ...given('type', change.type),
        ...given('config', config && JSON.stringify(config)),
        ...given('target', change.target),
        ...given('filter', change.filter && JSON.stringify(change.filter)),
        ...given('sample_rate', change.sampleRate),
        ...given('pass_threshold', change.passThreshold),
        ...given('idle_minutes', change.idleMinutes),
        ...given('enabled', change.enabled),
        // What came while it was disabled, or looked at something else, is not evaluated.
        ...given('enabled_at', begins(row, change) ? now : undefined),
        updated_at: now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return toEvaluator(updated);
  });
}

function begins(row: Pick<Evaluator, 'enabled' | 'target'>, { enabled, target }: EvaluatorChange): boolean {
  return (enabled === true && !row.enabled) || (target !== undefined && target !== row.target);
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
