import type { IngestPipeline } from '../ingest/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse, TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { retentionCutoff } from '../../contract/plans.ts';

/** What reading traces needs of the rest of the service. */
export interface TracesContext {
  clickhouse: ClickHouse;
  clock: Clock;
  pipeline: Pick<IngestPipeline, 'deleteTrace'>;
}

/** Reads what a tenant may see: its project, inside its plan's retention. */
export function readerFor(
  { clickhouse, clock }: Pick<TracesContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Pick<Tenant, 'projectId' | 'plan'>,
): TenantReader {
  return clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
}
