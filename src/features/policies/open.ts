import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { PoliciesDb } from '../policy-revisions/index.ts';
import { deleteExpiredPlans } from './plan/stored-plan.ts';
import type { PoliciesContext, PoliciesPorts } from './policies-context.ts';
import { PolicyReader } from './reader/policy-reader.ts';
import { policyRoutes } from './routes.ts';

const cleanEveryMs = 3_600_000;

/** Opens the feature: policy-as-code. Its thread starts when it is first needed. */
export function open(
  { postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>,
  ports: PoliciesPorts,
): Feature {
  const reader = new PolicyReader();
  const db = postgres.db as unknown as PoliciesDb;
  const context: PoliciesContext = { ...ports, db, changeFeed: postgres.changeFeed, clickhouse, clock, reader };
  return {
    routes: (server) => policyRoutes(server, context),
    jobs: [
      {
        name: 'delete-expired-plans',
        everyMs: cleanEveryMs,
        changes: ['postgres'],
        run: () => deleteExpiredPlans(db, clock.now()),
      },
    ],
    close: () => reader.close(),
  };
}
