export type { ScoreActor } from './change-score.ts';
export { open } from './open.ts';
export type { ScoresFeature } from './open.ts';
