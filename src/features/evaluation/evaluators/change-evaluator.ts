import type { Acting } from '../../../contract/actor.ts';
import type { EvaluatorChange, EvaluatorRecord } from '../../../contract/evaluations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import { toEvaluator, toRecord } from '../evaluator.ts';
import type { Evaluator } from '../evaluator.ts';
import { readExpression } from '../sampling/expression.ts';
import { checkConfig } from './checked-evaluator.ts';
import { findEvaluator, noSuchEvaluator } from './find-evaluator.ts';
import { recordEvaluatorChange } from './record-evaluator.ts';
import { underFreeSlug } from './taken-slug.ts';

type Changing = Pick<EvaluationContext, 'db' | 'clock' | 'measures' | 'evaluators'>;

/**
 * Changes the given fields of an evaluator. The change applies to evaluations that run from now on; stored scores keep their values and
 * their slug.
 *
 * Errors: `not_found`; `invalid_filter` for an expression that its target does not take; `invalid_request` when the configuration does not fit the type; `conflict` when the slug is taken, or
 * when another request has changed the type or the configuration that was checked with the given one.
 */
export async function changeEvaluator(
  context: Changing,
  acting: Acting,
  idOrSlug: string,
  change: EvaluatorChange,
): Promise<EvaluatorRecord> {
  const { projectId } = acting;
  const before = await findEvaluator(context.db, projectId, idOrSlug);
  // Checked before the lock, since the check may take seconds.
  const checksConfig = change.config !== undefined || change.type !== undefined;
  const config = checksConfig
    ? await checkConfig(context, projectId, change.type ?? before.type, change.config ?? before.config)
    : undefined;
  const changed = await underFreeSlug(write(context, acting, before, change, config));
  context.evaluators.forget(projectId);
  return toRecord(changed);
}

/** @param config as checked, with the type and configuration of `before` where the change has none */
async function write(
  { db, clock }: Changing,
  acting: Acting,
  before: Evaluator,
  change: EvaluatorChange,
  config: Evaluator['config'] | undefined,
): Promise<Evaluator> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction.selectFrom('evaluators').selectAll().where('id', '=', before.id).forUpdate().executeTakeFirst();
    if (!row) throw noSuchEvaluator();
    const otherType = change.type === undefined && row.type !== before.type;
    const otherConfig = change.config === undefined && row.config !== JSON.stringify(before.config);
    if (config !== undefined && (otherType || otherConfig)) {
      throw new ServiceError('conflict', 'This evaluator was changed by another request meanwhile; read it and try again.');
    }
    // An expression of an earlier release stays as it is.
    if (change.filter !== undefined || change.target !== undefined)
      readExpression({ filter: change.filter ?? toEvaluator(row).filter, target: change.target ?? row.target }, clock.now());
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
