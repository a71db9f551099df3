import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import { calledModels } from './called-models.ts';
import type { CalledModel } from './called-models.ts';
import { deleteSupersededSeals } from './delete-superseded-seals.ts';
import { HourStates } from './hour-states.ts';
import { modelRoutes } from './routes.ts';
import { sealHours } from './seal-hours.ts';

export interface ModelsFeature extends Feature {
  hourStates: HourStates;
  /** The models that a project called since a time in epoch milliseconds. */
  calledModels(project: { projectId: string; plan: Plan }, sinceMs: number): Promise<CalledModel[]>;
}

const sealEveryMs = 2_000;
const deleteSupersededEveryMs = 30 * 60_000;

/** The figures of models, and the jobs that seal their hours. */
export function open({ postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>): ModelsFeature {
  const hourStates = new HourStates(postgres.db, clock);
  const context = { clickhouse, clock, hourStates };
  return {
    hourStates,
    calledModels: (project, sinceMs) => calledModels(context, project, sinceMs),
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
