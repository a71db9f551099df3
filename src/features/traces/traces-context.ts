import type { SpanMapper } from './span-mapper.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse, TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { retentionCutoff } from '../../contract/plans.ts';

/** The stores and services that the verbs of traces use. */
export interface TracesContext {
  clickhouse: ClickHouse;
  clock: Clock;
  pipeline: Pick<IngestPipeline, 'deleteTrace'>;
  mapper: SpanMapper;
}

/** A reader limited to the tenant's project and to records within its plan's retention. */
export function readerFor(
  { clickhouse, clock }: Pick<TracesContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Pick<Tenant, 'projectId' | 'plan'>,
): TenantReader {
  return clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
}
