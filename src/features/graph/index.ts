export { open } from './open.ts';
export type { GraphFeature } from './open.ts';
export type { GraphPorts } from './graph-context.ts';
