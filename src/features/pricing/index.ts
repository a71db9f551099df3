export { decodeOwnPrices, encodeOwnPrices, noOwnPrices, ownPricesOf } from './own-prices.ts';
export type { OwnPrice, OwnPrices } from './own-prices.ts';
export { modelProvider } from './price-table.ts';
export { pricedModel, priceSpan } from './price-span.ts';
export type { PriceInput, SpanCost } from './price-span.ts';
