export { open } from './open.ts';
export type { SelectionsFeature } from './open.ts';
