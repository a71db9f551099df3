import type { Outcome } from '../../contract/outcomes.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { ClickHouse, TenantReader } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { OwnPrices } from '../pricing/index.ts';
import type { IngestPipeline, SearchPort } from '../trace-store/index.ts';
import type { Views } from '../views/index.ts';
import type { SpanMapper } from './span-mapper.ts';

/** The stores and services that the verbs of traces use. */
export interface TracesContext {
  clickhouse: ClickHouse;
  clock: Clock;
  pipeline: Pick<IngestPipeline, 'deleteTrace'>;
  /** The outcomes of a trace in time order, as far as they fit into a response. */
  outcomesOfTrace(reader: TenantReader, traceId: string): Promise<{ outcomes: Outcome[]; truncated: boolean }>;
  /** The project's own prices. */
  ownPrices(projectId: string): Promise<OwnPrices>;
  mapper: SpanMapper;
  /** Of the routes that take a filter. */
  views: Views;
  search: SearchPort;
}

/** Readers of one project, all with the same retention edge. */
export interface RetainedReaders {
  /** Reads records within the retention, and the summaries of traces of which no record has expired. */
  whole: TenantReader;
  /** Reads the summaries of partly expired traces too: only to find the traces. */
  partly: TenantReader;
  /** Epoch milliseconds. */
  edgeMs: number;
}

/** Readers limited to the tenant's project and to its plan's retention. */
export function readersFor(
  { clickhouse, clock }: Pick<TracesContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Pick<Tenant, 'projectId' | 'plan'>,
): RetainedReaders {
  const edgeMs = retentionCutoff(plan, clock.now());
  const scope = { projectId, oldestMs: edgeMs };
  return { whole: clickhouse.forTenant(scope), partly: clickhouse.forTenant({ ...scope, partlyExpired: true }), edgeMs };
}

/** A reader limited to the tenant's project and to records within its plan's retention. */
export function readerFor(
  { clickhouse, clock }: Pick<TracesContext, 'clickhouse' | 'clock'>,
  { projectId, plan }: Pick<Tenant, 'projectId' | 'plan'>,
): TenantReader {
  return clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, clock.now()) });
}
