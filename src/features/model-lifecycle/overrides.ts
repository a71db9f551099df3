import { actorName } from '../../contract/actor.ts';
import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { LifecycleCatalogue, ListedEntry, OverrideBody } from '../../contract/model-lifecycle.ts';
import { recordAudit } from '../audit/index.ts';
import type { LifecycleContext } from './lifecycle-context.ts';
import { readCatalogue, readOverrides } from './stored-catalogue.ts';

type Stores = Pick<LifecycleContext, 'db' | 'clock'>;

/** Dates of a project's own. */
const maxOverrides = 1_000;

/** The catalogue as it holds for a project. */
export async function listCatalogue({ db }: Stores, projectId: string): Promise<LifecycleCatalogue> {
  const catalogue = await readCatalogue(db);
  return { models: catalogue.list(await readOverrides(db, projectId)), reviewedOn: catalogue.reviewedOn };
}

/**
 * Sets the project's own date of a model, which counts from the next scan on.
 *
 * Errors: `conflict` when the project has reached its maximum.
 */
export async function setOverride(
  { db, clock }: Stores,
  acting: Acting,
  model: string,
  body: OverrideBody,
): Promise<ListedEntry> {
  const { projectId, actor } = acting;
  const { retiresOn } = body;
  const [provider, replacement, source] = [body.provider ?? null, body.replacement ?? null, body.source ?? null];
  const { count } = await db
    .selectFrom('lifecycle_overrides')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('model', '!=', model)
    .executeTakeFirstOrThrow();
  if (count >= maxOverrides) {
    throw new ServiceError(
      'conflict',
      `A project has at most ${maxOverrides} dates of its own; delete one that is not needed any more.`,
    );
  }
  const values = {
    provider,
    retires_on: retiresOn,
    replacement,
    source,
    updated_by: actorName(actor),
    updated_at: new Date(clock.now()),
  };
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('lifecycle_overrides')
      .values({ project_id: projectId, model, ...values })
      .onConflict((conflict) => conflict.columns(['project_id', 'model']).doUpdateSet(values))
      .execute();
    const detail = { model, provider, retiresOn };
    await recordAudit(transaction, clock, { ...acting, kind: 'lifecycle.override_set', subject: model, detail });
  });
  const catalogue = await readCatalogue(db);
  return catalogue.entryOf({ model, provider, retiresOn, replacement, source });
}

/** Deletes the project's own date of a model; the catalogue's counts from the next scan on. Errors: `not_found`. */
export async function deleteOverride({ db, clock }: Stores, acting: Acting, model: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('lifecycle_overrides')
      .where('project_id', '=', acting.projectId)
      .where('model', '=', model)
      .returning(['provider', 'retires_on'])
      .executeTakeFirst();
    if (!deleted) throw new ServiceError('not_found', `This project has no date of its own for the model ${model}.`);
    const detail = { model, provider: deleted.provider, retiresOn: deleted.retires_on };
    await recordAudit(transaction, clock, { ...acting, kind: 'lifecycle.override_removed', subject: model, detail });
  });
}
