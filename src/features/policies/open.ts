import { hourMs } from '../../contract/durations.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import { deleteExpiredPlans } from './plan/stored-plan.ts';
import type { PoliciesContext, PoliciesPorts } from './policies-context.ts';
import { Replays } from './replay/replay-plan.ts';
import { PolicyReader } from './reader/policy-reader.ts';
import { policyRoutes } from './routes.ts';

const cleanEveryMs = hourMs;

export interface PoliciesFeature extends Feature {
  context: PoliciesContext;
}

/** Opens the feature: policy-as-code. Its threads start when they are first needed. */
export function open(
  { postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>,
  ports: PoliciesPorts,
): PoliciesFeature {
  const reader = new PolicyReader();
  const replays = new Replays();
  const db = postgres.db;
  const context: PoliciesContext = { ...ports, db, changeFeed: postgres.changeFeed, clickhouse, clock, reader, replays };
  return {
    context,
    routes: (server) => policyRoutes(server, context),
    jobs: [
      {
        name: 'delete-expired-plans',
        everyMs: cleanEveryMs,
        changes: ['postgres'],
        run: () => deleteExpiredPlans(db, clock.now()),
      },
    ],
    close: async () => {
      await replays.close();
      await reader.close();
    },
  };
}
