export type { CalledModel } from './called-models.ts';
export { HourStates } from './hour-states.ts';
export { open } from './open.ts';
export type { ModelsFeature } from './open.ts';
export { roundedDuration } from './rounded-duration.ts';
export { sealHours } from './seal-hours.ts';
export { modelTables } from './tables.ts';
export { windowOf } from './window.ts';
