import type { ListPricesQuery, OwnPriceRecord, PricePage } from '../../contract/prices.ts';
import { Keyset } from '../../platform/keyset/index.ts';
import { ownPricesOf } from '../trace-store/index.ts';
import type { OwnPrices } from '../trace-store/index.ts';
import { noSuchPrice, ownPriceOf, recordOf } from './price-record.ts';
import type { PricesDb } from './tables.ts';

const byModel = new Keyset([{ name: 'model', type: 'text' }]);

/** The project's own prices, in order of model. */
export async function listPrices(db: PricesDb, projectId: string, query: ListPricesQuery): Promise<PricePage> {
  const select = db.selectFrom('project_prices').selectAll().where('project_id', '=', projectId);
  const { rows, nextCursor } = await byModel.read(select, query);
  return { prices: rows.map(recordOf), nextCursor };
}

/** The project's own price of a model. Errors: `not_found`. */
export async function getPrice(db: PricesDb, projectId: string, model: string): Promise<OwnPriceRecord> {
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
export async function readOwnPrices(db: PricesDb, projectId: string): Promise<OwnPrices> {
  const rows = await db.selectFrom('project_prices').selectAll().where('project_id', '=', projectId).orderBy('model').execute();
  return ownPricesOf(rows.map(ownPriceOf));
}
