export { open } from './open.ts';
export type { ChangesFeature } from './open.ts';
export { recordChange } from './record-change.ts';
