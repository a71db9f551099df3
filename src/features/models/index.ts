export { deleteSupersededSeals } from './delete-superseded-seals.ts';
export { HourStates } from './hour-states.ts';
export { modelRoutes } from './routes.ts';
export { sealHours } from './seal-hours.ts';
export { modelTables } from './tables.ts';
