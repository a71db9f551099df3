import type { Acting } from '../../contract/actor.ts';
import type { OwnPriceRecord } from '../../contract/prices.ts';
import { recordAudit } from '../audit/index.ts';
import { pricesChannel } from './own-price-cache.ts';
import { detailOf, noSuchPrice, recordOf } from './price-record.ts';
import type { PricesContext } from './prices-context.ts';

/**
 * Deletes the project's own price of a model. Calls that are accepted from now on are priced by the price table.
 *
 * @returns the deleted price. Errors: `not_found`.
 */
export async function deletePrice(
  { changeFeed, clock }: Pick<PricesContext, 'changeFeed' | 'clock'>,
  { organizationId, projectId, actor }: Acting,
  model: string,
): Promise<OwnPriceRecord> {
  return changeFeed.transaction(async (transaction, publish) => {
    const deleted = await transaction
      .deleteFrom('project_prices')
      .where('project_id', '=', projectId)
      .where('model', '=', model)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw noSuchPrice();
    const price = recordOf(deleted);
    await publish(pricesChannel, projectId);
    const detail = detailOf(price);
    await recordAudit(transaction, clock, { organizationId, projectId, kind: 'price.deleted', actor, subject: model, detail });
    return price;
  });
}
