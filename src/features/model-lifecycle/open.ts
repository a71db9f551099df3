import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { ModelsFeature } from '../models/index.ts';
import type { LifecycleContext } from './lifecycle-context.ts';
import { lifecycleRoutes } from './routes.ts';
import { scanDue } from './scan.ts';

export interface LifecyclePorts {
  calledModels: ModelsFeature['calledModels'];
  raised: LifecycleContext['raised'];
  wake: LifecycleContext['wake'];
  /** Every project with the plan of its organization. */
  projectPlans(): Promise<ReadonlyArray<{ projectId: string; plan: Plan }>>;
}

export interface LifecycleFeature extends Feature {
  context: LifecycleContext;
}

const scanEveryMs = 10 * 60_000;

/** Findings about called models that are retired soon; a job scans each project once a day. */
export function open(
  { postgres, clock, log }: Pick<Platform, 'postgres' | 'clock' | 'log'>,
  ports: LifecyclePorts,
): LifecycleFeature {
  const context: LifecycleContext = {
    db: postgres.db,
    clock,
    calledModels: ports.calledModels,
    raised: ports.raised,
    wake: ports.wake,
  };
  const onError = (projectId: string, error: unknown) =>
    log.error({ err: error, projectId }, 'the models of a project could not be scanned; the next run tries again');
  return {
    context,
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
