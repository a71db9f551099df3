import type { Acting } from '../../../contract/actor.ts';
import type { EvaluatorChange, EvaluatorRecord } from '../../../contract/evaluations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { toEvaluator, toRecord } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import { checkConfig } from './checked-evaluator.ts';
import { findEvaluator } from './find-evaluator.ts';
import { recordEvaluatorChange } from './record-evaluator.ts';
import { underFreeSlug } from './taken-slug.ts';

type Changing = Pick<EvaluationContext, 'db' | 'clock' | 'measures' | 'evaluators'>;

const maxTries = 5;

/**
 * Changes the given fields of an evaluator. The change applies to evaluations that run from now on; stored scores keep their values and
 * their slug.
 *
 * Errors: `not_found`; `invalid_request` when the configuration does not fit the type; `conflict` when the slug is taken.
 */
export async function changeEvaluator(
  context: Changing,
  acting: Acting,
  idOrSlug: string,
  change: EvaluatorChange,
): Promise<EvaluatorRecord> {
  const { projectId } = acting;
  for (let tries = 1; tries <= maxTries; tries++) {
    const before = await findEvaluator(context.db, projectId, idOrSlug);
    const checksConfig = change.config !== undefined || change.type !== undefined;
    const config = checksConfig
      ? await checkConfig(context, projectId, change.type ?? before.type, change.config ?? before.config)
      : undefined;
    const changed = await underFreeSlug(write(context, acting, before, change, config));
    if (!changed) continue;
    context.evaluators.forget(projectId);
    return toRecord(changed);
  }
  throw new ServiceError('conflict', 'This evaluator was changed by another request; read it and try again.');
}

/** Returns null when type or configuration have changed since `before`, and so were not checked together. */
async function write(
  { db, clock }: Changing,
  acting: Acting,
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
        // Data from before is not evaluated: the evaluator was disabled then, or had another target.
        ...given('enabled_at', begins(row, change) ? now : undefined),
        updated_at: now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = toEvaluator(updated);
    await recordEvaluatorChange(transaction, clock, acting, toEvaluator(row), after);
    return after;
  });
}

function begins(row: Pick<Evaluator, 'enabled' | 'target'>, { enabled, target }: EvaluatorChange): boolean {
  return (enabled === true && !row.enabled) || (target !== undefined && target !== row.target);
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
