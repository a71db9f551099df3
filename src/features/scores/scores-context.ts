import { retentionCutoff } from '../../contract/plans.ts';
import type { ClickHouse, TenantReader } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { IngestPipeline } from '../trace-store/index.ts';

/** What the verbs of scores use. */
export interface ScoresContext {
  db: Database;
  clickhouse: ClickHouse;
  clock: Clock;
  pipeline: Pick<IngestPipeline, 'accept' | 'drain' | 'passThresholds' | 'pendingEvents'>;
}

/** A reader limited to the tenant's project and to records within its plan's retention. */
export function readerFor(
  { clickhouse, clock }: Pick<ScoresContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Pick<Tenant, 'projectId' | 'plan'>,
): TenantReader {
  return clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
}
