import type { ListPricesQuery, OwnPriceRecord, PricePage } from '../../contract/prices.ts';
import { Keyset } from '../../platform/keyset/index.ts';
import { ownPricesOf } from '../pricing/index.ts';
import type { OwnPrices } from '../pricing/index.ts';
import { noSuchPrice, ownPriceOf, recordOf } from './price-record.ts';
import type { Database } from '../../platform/postgres/index.ts';

const byModel = new Keyset([{ name: 'model', type: 'text' }]);

/** The project's own prices, in order of model. */
export async function listPrices(db: Database, projectId: string, query: ListPricesQuery): Promise<PricePage> {
  const select = db.selectFrom('project_prices').selectAll().where('project_id', '=', projectId);
  const { rows, nextCursor } = await byModel.read(select, query);
  return { prices: rows.map(recordOf), nextCursor };
}

/** The project's own price of a model. Errors: `not_found`. */
export async function getPrice(db: Database, projectId: string, model: string): Promise<OwnPriceRecord> {
  const row = await db
    .selectFrom('project_prices')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('model', '=', model)
    .executeTakeFirst();
  if (!row) throw noSuchPrice();
  return recordOf(row);
}

/** The project's own prices, as calls are priced by them. */
export async function readOwnPrices(db: Database, projectId: string): Promise<OwnPrices> {
  const rows = await db.selectFrom('project_prices').selectAll().where('project_id', '=', projectId).orderBy('model').execute();
  return ownPricesOf(rows.map(ownPriceOf));
}
