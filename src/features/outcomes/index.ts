export { countOutcomes } from './count-outcomes.ts';
export { open } from './open.ts';
export { reportOutcomes } from './report-outcomes.ts';
export { outcomesOfTrace } from './outcomes-of-trace.ts';
