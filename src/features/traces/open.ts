import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import { deleteExpired } from './delete-expired.ts';
import type { ExpiredRows } from './delete-expired.ts';
import { traceRoutes } from './routes.ts';
import { SpanMapper } from './span-mapper.ts';

export interface TracesPorts {
  pipeline: Pick<IngestPipeline, 'deleteTrace'>;
  /** Every project with the plan of its organization. */
  projectPlans(): Promise<ReadonlyArray<{ organizationId: string; projectId: string; plan: Plan }>>;
  /** Called before expired rows are deleted. */
  onExpired(expired: readonly ExpiredRows[]): Promise<void>;
}

const retentionEveryMs = 60 * 60_000;

/** Reads and deletes traces and sessions; a job deletes expired records. */
export function open(
  { postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>,
  { pipeline, projectPlans, onExpired }: TracesPorts,
): Feature {
  const mapper = new SpanMapper();
  const retention = { clickhouse, clock, postgres: postgres.db, projects: projectPlans, onExpired };
  return {
    routes: (server) => traceRoutes(server, { clickhouse, clock, pipeline, mapper }),
    jobs: [
      {
        name: 'retention',
        everyMs: retentionEveryMs,
        changes: ['clickhouse', 'postgres'],
        run: () => deleteExpired(retention),
      },
    ],
    close: () => mapper.close(),
  };
}
