import type { RangeQuery } from '../../contract/common.ts';
import type { ModelDetail, ModelList, TimelineQuery } from '../../contract/models.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { HourStates } from '../figures/index.ts';
import { calledModels } from './called-models.ts';
import type { CalledModel } from './called-models.ts';
import { getModel } from './get-model.ts';
import { listModels } from './list-models.ts';
import { modelRoutes } from './routes.ts';

export interface ModelsFeature extends Feature {
  /** The models that a project called since a time, and before another one; epoch milliseconds. */
  calledModels(project: { projectId: string; plan: Plan }, sinceMs: number, beforeMs?: number): Promise<CalledModel[]>;
  /** See {@link listModels}. */
  listModels(tenant: Tenant, query: RangeQuery): Promise<ModelList>;
  /** See {@link getModel}. */
  getModel(tenant: Tenant, model: string, query: TimelineQuery): Promise<ModelDetail>;
}

/** The figures of models. */
export function open(
  { clickhouse, clock }: Pick<Platform, 'clickhouse' | 'clock'>,
  { hourStates }: { hourStates: HourStates },
): ModelsFeature {
  const context = { clickhouse, clock, hourStates };
  return {
    calledModels: (project, sinceMs, beforeMs) => calledModels(context, project, sinceMs, beforeMs),
    listModels: (tenant, query) => listModels(context, tenant, query),
    getModel: (tenant, model, query) => getModel(context, tenant, model, query),
    routes: (server) => modelRoutes(server, context),
  };
}
