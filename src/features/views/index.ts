export { namedViewExists } from './named-view-exists.ts';
export { open } from './open.ts';
export type { Views, ViewsFeature } from './open.ts';
export type { WithView } from './view-filter.ts';
