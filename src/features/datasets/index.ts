import type { Database } from '../../platform/postgres/index.ts';
import type { DatasetsContext } from './datasets-context.ts';

export type { DatasetsContext, RunItemsHook } from './datasets-context.ts';
export { datasetRoutes } from './routes.ts';
export { forgetScoresOfTrace, placesOfRunItems, readRunItems, saveRunScores } from './run-scores.ts';
export type { RunItemForEvaluation, RunItemScore } from './run-scores.ts';

/** What the verbs of datasets work with, over the relational database. */
export function datasetsContext(database: Database, parts: Omit<DatasetsContext, 'db'>): DatasetsContext {
  return { ...parts, db: database as unknown as DatasetsContext['db'] };
}
