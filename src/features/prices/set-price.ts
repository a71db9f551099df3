import { actorName } from '../../contract/actor.ts';
import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { maxOwnPrices } from '../../contract/prices.ts';
import type { OwnPriceRecord, PriceBody } from '../../contract/prices.ts';
import { recordAudit } from '../audit/index.ts';
import { normalMoment } from './moment.ts';
import { pricesChannel } from './own-price-cache.ts';
import { detailOf, recordOf } from './price-record.ts';
import type { PricesContext } from './prices-context.ts';
import type { Database } from '../../platform/postgres/index.ts';

/**
 * Sets the project's own price of a model (docs/semantics.md, "Prices of a project"). Calls that are accepted from now on are priced by it.
 *
 * Errors: `conflict` when the project has reached its maximum.
 */
export async function setPrice(
  { changeFeed, clock }: Pick<PricesContext, 'changeFeed' | 'clock'>,
  { organizationId, projectId, actor }: Acting,
  model: string,
  body: PriceBody,
): Promise<OwnPriceRecord> {
  const values = {
    input_per_million: body.inputPerMillion,
    output_per_million: body.outputPerMillion,
    cached_input_per_million: body.cachedInputPerMillion ?? null,
    cache_write_per_million: body.cacheWritePerMillion ?? null,
    applies_from: body.from == null ? null : normalMoment(body.from),
  };
  return changeFeed.transaction(async (transaction, publish) => {
    const now = { updated_by: actorName(actor), updated_at: new Date(clock.now()) };
    const before = await transaction
      .selectFrom('project_prices')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('model', '=', model)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) await refuseTooMany(transaction, projectId);
    else if (Object.entries(values).every(([column, value]) => before[column as keyof typeof values] === value)) {
      return recordOf(before);
    }
    const row = await transaction
      .insertInto('project_prices')
      .values({ project_id: projectId, model, ...values, ...now })
      .onConflict((conflict) => conflict.columns(['project_id', 'model']).doUpdateSet({ ...values, ...now }))
      .returningAll()
      .executeTakeFirstOrThrow();
    const price = recordOf(row);
    await publish(pricesChannel, projectId);
    const subject = model;
    await recordAudit(transaction, clock, {
      organizationId,
      projectId,
      kind: 'price.set',
      actor,
      subject,
      detail: detailOf(price),
    });
    return price;
  });
}

/** The maximum is approximate: concurrent requests do not count each other's prices. */
async function refuseTooMany(db: Database, projectId: string): Promise<void> {
  const { count } = await db
    .selectFrom('project_prices')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (count < maxOwnPrices) return;
  throw new ServiceError(
    'conflict',
    `A project has at most ${maxOwnPrices} prices of its own; delete one that is not needed any more.`,
  );
}
