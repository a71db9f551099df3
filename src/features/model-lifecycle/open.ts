import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { ModelsFeature } from '../models/index.ts';
import type { LifecycleContext } from './lifecycle-context.ts';
import { lifecycleRoutes } from './routes.ts';
import { scanDue } from './scan.ts';

export interface LifecyclePorts {
  calledModels: ModelsFeature['calledModels'];
  /** Every project with the plan of its organization. */
  projectPlans(): Promise<ReadonlyArray<{ projectId: string; plan: Plan }>>;
}

const scanEveryMs = 10 * 60_000;

/** Findings about called models that are retired soon; a job scans each project once a day. */
export function open({ postgres, clock, log }: Pick<Platform, 'postgres' | 'clock' | 'log'>, ports: LifecyclePorts): Feature {
  const context: LifecycleContext = {
    db: postgres.db as unknown as LifecycleContext['db'],
    clock,
    calledModels: ports.calledModels,
  };
  const onError = (projectId: string, error: unknown) =>
    log.error({ err: error, projectId }, 'the models of a project could not be scanned; the next run tries again');
  return {
    routes: (server) => lifecycleRoutes(server, context),
    jobs: [
      {
        name: 'scan-model-lifecycle',
        everyMs: scanEveryMs,
        changes: ['postgres'],
        run: async (signal) => scanDue(context, await ports.projectPlans(), onError, signal),
      },
    ],
  };
}
