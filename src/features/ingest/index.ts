export { readEvents } from './native/read-events.ts';
export { open } from './open.ts';
export type { IngestFeature } from './open.ts';
