export { open } from './open.ts';
export type { SelectionsFeature } from './open.ts';
export type { ReadView, ViewFilter } from './selections-context.ts';
