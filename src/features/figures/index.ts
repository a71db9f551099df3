export { closeCount, sampleMask } from './close-count.ts';
export type { FiguresContext } from './figures-context.ts';
export { dirtyHours, sealedHours, sourceOf } from './figures-source.ts';
export type { Parts } from './figures-source.ts';
export { graphRollups } from './graph-rollup-sql.ts';
export { HourStates } from './hour-states.ts';
export { open } from './open.ts';
export type { FiguresFeature } from './open.ts';
export { planFigures } from './plan-figures.ts';
export type { FiguresPlan } from './plan-figures.ts';
export {
  callRollups,
  callSums,
  graphColumns,
  qualityMeanSums,
  qualityRollups,
  qualitySums,
  sketchRollups,
  summed,
} from './rollup-sql.ts';
export { roundedDuration, traceHash } from './rounded-duration.ts';
export { sealHours } from './seal-hours.ts';
export { figureTables } from './tables.ts';
export { timesOf } from './times-of.ts';
export { windowBetween, windowOf } from './window.ts';
export type { Interval, Window } from './window.ts';
