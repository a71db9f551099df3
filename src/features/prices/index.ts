export { open } from './open.ts';
export type { PricesFeature } from './open.ts';
