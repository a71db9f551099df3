import { ServiceError } from '../../contract/errors.ts';
import type { OwnPriceRecord } from '../../contract/prices.ts';
import type { OwnPrice } from '../pricing/index.ts';
import { startOfMoment } from './moment.ts';
import type { PriceRow } from './tables.ts';

/** A price as the API returns it. */
export function recordOf(row: PriceRow): OwnPriceRecord {
  return {
    model: row.model,
    inputPerMillion: row.input_per_million,
    outputPerMillion: row.output_per_million,
    cachedInputPerMillion: row.cached_input_per_million,
    cacheWritePerMillion: row.cache_write_per_million,
    from: row.applies_from,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.updated_by,
  };
}

/** A price as calls are priced by it. */
export function ownPriceOf(row: PriceRow): OwnPrice {
  const { model, inputPerMillion, outputPerMillion, cachedInputPerMillion, cacheWritePerMillion, from } = recordOf(row);
  const fromMs = from === null ? null : startOfMoment(from);
  return { model, inputPerMillion, outputPerMillion, cachedInputPerMillion, cacheWritePerMillion, fromMs };
}

/** A price as the audit log has it. */
export function detailOf(price: OwnPriceRecord) {
  const { updatedAt: _updatedAt, updatedBy: _updatedBy, ...detail } = price;
  return detail;
}

export function noSuchPrice(): ServiceError {
  return new ServiceError(
    'not_found',
    'This project has no price of its own for the model; list the prices to see which there are.',
  );
}
