import type { RangeQuery } from '../../contract/common.ts';
import type { ModelDetail, ModelList, TimelineQuery } from '../../contract/models.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { calledModels } from './called-models.ts';
import type { CalledModel } from './called-models.ts';
import { deleteSupersededSeals } from './delete-superseded-seals.ts';
import { getModel } from './get-model.ts';
import { HourStates } from './hour-states.ts';
import { listModels } from './list-models.ts';
import { modelRoutes } from './routes.ts';
import { sealHours } from './seal-hours.ts';

export interface ModelsFeature extends Feature {
  hourStates: HourStates;
  /** The models that a project called since a time, and before another one; epoch milliseconds. */
  calledModels(project: { projectId: string; plan: Plan }, sinceMs: number, beforeMs?: number): Promise<CalledModel[]>;
  /** See {@link listModels}. */
  listModels(tenant: Tenant, query: RangeQuery): Promise<ModelList>;
  /** See {@link getModel}. */
  getModel(tenant: Tenant, model: string, query: TimelineQuery): Promise<ModelDetail>;
}

const sealEveryMs = 2_000;
const deleteSupersededEveryMs = 30 * 60_000;

/** The figures of models, and the jobs that seal their hours. */
export function open({ postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>): ModelsFeature {
  const hourStates = new HourStates(postgres.db, clock);
  const context = { clickhouse, clock, hourStates };
  return {
    hourStates,
    calledModels: (project, sinceMs, beforeMs) => calledModels(context, project, sinceMs, beforeMs),
    listModels: (tenant, query) => listModels(context, tenant, query),
    getModel: (tenant, model, query) => getModel(context, tenant, model, query),
    routes: (server) => modelRoutes(server, context),
    jobs: [
      { name: 'seal-hours', everyMs: sealEveryMs, changes: ['clickhouse', 'postgres'], run: () => sealHours(context) },
      {
        name: 'delete-superseded-seals',
        everyMs: deleteSupersededEveryMs,
        changes: ['clickhouse', 'postgres'],
        run: () => deleteSupersededSeals(context),
      },
    ],
  };
}
