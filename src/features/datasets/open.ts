import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { TraceHooks } from '../trace-store/index.ts';
import type { DatasetsContext, RunItemsHook } from './datasets-context.ts';
import { ItemTexts } from './item-texts.ts';
import { datasetRoutes } from './routes.ts';
import { forgetScoresOfTrace } from './run-scores.ts';

export interface DatasetsPorts {
  /** Called in the transaction that stores run items. */
  onRunItemsAdded: RunItemsHook;
}

/** Opens the feature: datasets, their items and their runs. */
export function open(
  {
    postgres,
    clickhouse,
    clock,
    directory,
  }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'> & {
    directory: Pick<Platform['directory'], 'temporary'>;
  },
  { onRunItemsAdded }: DatasetsPorts,
): Feature & TraceHooks {
  const itemTexts = new ItemTexts();
  const db = postgres.db as unknown as DatasetsContext['db'];
  const context: DatasetsContext = { db, clock, clickhouse, temporaryDirectory: directory.temporary, onRunItemsAdded, itemTexts };
  return {
    routes: (server) => datasetRoutes(server, context),
    onTraceDeleted: (projectId, traceId) => forgetScoresOfTrace(postgres.db, projectId, traceId),
    close: () => itemTexts.close(),
  };
}
