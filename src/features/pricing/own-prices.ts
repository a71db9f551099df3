import type { ModelPrice } from '@pydantic/genai-prices';

/** A project's own price of a model (docs/semantics.md, "Prices of a project"). US dollars per million tokens. */
export interface OwnPrice {
  /** As recorded on calls. */
  model: string;
  inputPerMillion: number;
  outputPerMillion: number;
  /** null: as the rest of the input. */
  cachedInputPerMillion: number | null;
  /** null: as the rest of the input. */
  cacheWritePerMillion: number | null;
  /** Start of the first calls that it applies to, epoch milliseconds; null: all of them. */
  fromMs: number | null;
}

/** The own prices of a project by model, with their rates in the form of the price table. */
export type OwnPrices = ReadonlyMap<string, OwnPrice & { rates: ModelPrice }>;

export const noOwnPrices: OwnPrices = new Map();

/** Prices by model. */
export function ownPricesOf(prices: readonly OwnPrice[]): OwnPrices {
  if (prices.length === 0) return noOwnPrices;
  return new Map(prices.map((price) => [price.model, { ...price, rates: ratesOf(price) }]));
}

function ratesOf({ inputPerMillion, outputPerMillion, cachedInputPerMillion, cacheWritePerMillion }: OwnPrice): ModelPrice {
  return {
    input_mtok: inputPerMillion,
    output_mtok: outputPerMillion,
    ...(cachedInputPerMillion === null ? {} : { cache_read_mtok: cachedInputPerMillion }),
    ...(cacheWritePerMillion === null ? {} : { cache_write_mtok: cacheWritePerMillion }),
  };
}

/** As text, for a record of the log or a row of a queue; `''` without prices. */
export function encodeOwnPrices(prices: OwnPrices): string {
  if (prices.size === 0) return '';
  return JSON.stringify([...prices.values()].map(({ rates: _rates, ...price }) => price));
}

/** The prices of a text of {@link encodeOwnPrices}. */
export function decodeOwnPrices(text: string): OwnPrices {
  return text === '' ? noOwnPrices : ownPricesOf(JSON.parse(text) as OwnPrice[]);
}
