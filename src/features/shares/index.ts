export { open } from './open.ts';
export type { SharesFeature } from './open.ts';
