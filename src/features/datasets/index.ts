export { open } from './open.ts';
export { runItemsOf } from './run-scores.ts';
