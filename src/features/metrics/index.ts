export { open } from './open.ts';
export type { MetricsFeature } from './open.ts';
