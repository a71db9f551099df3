export { changeStatus } from './change-status.ts';
export { openFixProposals } from './fix-proposals/open-fix-proposals.ts';
export { incidentsOfEnvironments } from './incidents-of-environments.ts';
export type { IncidentsPorts } from './incidents-context.ts';
export { listIncidents } from './list-incidents.ts';
export { open } from './open.ts';
export type { IncidentsFeature, UnresolvedIncident } from './open.ts';
export { maxSampleTraces } from './open-incident.ts';
