export type { CalledModel } from './called-models.ts';
export { open } from './open.ts';
export type { ModelsFeature } from './open.ts';
