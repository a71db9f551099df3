import type { Acting, Actor } from '../../contract/actor.ts';
import type { DatasetsQuery } from '../../contract/datasets.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { TraceHooks } from '../trace-store/index.ts';
import { addJsonItems } from './add-json-items.ts';
import { addRecords } from './add-records.ts';
import type { RecordsToAdd } from './add-records.ts';
import { comparePart } from './compare-part.ts';
import type { ComparePart, PartOptions } from './compare-part.ts';
import { listDatasets } from './datasets.ts';
import type { BlankItems, DatasetsContext, RunItemsHook, ScenariosOfDataset } from './datasets-context.ts';
import { settleImports } from './merge-import.ts';
import { ItemTexts } from './item-texts.ts';
import { forgetMadeFrom } from './forget-made-from.ts';
import { datasetRoutes } from './routes.ts';
import { forgetScoresOfTraces } from './run-scores.ts';

export interface DatasetsPorts {
  /** Called in the transaction that stores run items. */
  onRunItemsAdded: RunItemsHook;
  scenariosOfDataset: ScenariosOfDataset;
  blankItems: BlankItems;
}

export interface DatasetsFeature extends Feature, TraceHooks {
  context: DatasetsContext;
  /** See {@link listDatasets}. */
  listDatasets(projectId: string, query: DatasetsQuery): ReturnType<typeof listDatasets>;
  /** See {@link comparePart}. */
  comparePart<T>(tenant: Tenant, runs: { datasetId: string; runs: string }, part: PartOptions<T>): Promise<ComparePart<T>>;
  /** See {@link addRecords}. */
  addRecords(acting: Acting, tenant: Pick<Tenant, 'projectId' | 'plan'>, records: RecordsToAdd): Promise<Map<string, string>>;
  /** See {@link addJsonItems}. */
  addJsonItems(acting: { tenant: Tenant; actor: Actor }, datasetId: string, body: unknown): Promise<string>;
}

const cleanupEveryMs = 10 * 60_000;

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
  { onRunItemsAdded, scenariosOfDataset, blankItems }: DatasetsPorts,
): DatasetsFeature {
  const itemTexts = new ItemTexts();
  const db = postgres.db;
  const context: DatasetsContext = {
    db,
    clock,
    clickhouse,
    temporaryDirectory: directory.temporary,
    onRunItemsAdded,
    scenariosOfDataset,
    blankItems,
    itemTexts,
  };
  return {
    context,
    listDatasets: (projectId, query) => listDatasets(context, projectId, query),
    comparePart: (tenant, runs, part) => comparePart(context, tenant, runs, part),
    addRecords: (acting, tenant, records) => addRecords(context, acting, tenant, records),
    addJsonItems: (acting, datasetId, body) => addJsonItems(context, acting, datasetId, body),
    routes: (server) => datasetRoutes(server, context),
    onTracesDeleted: (projectId, traceIds) => forgetScoresOfTraces(postgres.db, projectId, traceIds),
    forgetMadeFrom: ({ projectId }, { traceIds }) => forgetMadeFrom(context, projectId, traceIds),
    jobs: [
      {
        name: 'dataset-imports',
        everyMs: cleanupEveryMs,
        changes: ['postgres'],
        run: async () => void (await settleImports(context)),
      },
    ],
    close: () => itemTexts.close(),
  };
}
