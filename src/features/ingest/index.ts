import type { Clock } from '../../platform/clock/clock.ts';
import { TokenBuckets } from '../../platform/rate-limit/index.ts';
import type { BucketSize, RateLimit } from '../../platform/rate-limit/index.ts';
import { BodyBudget } from './body-budget.ts';
import { Inflater } from './inflater.ts';
import type { IngestContext } from './ingest-context.ts';
import type { IngestPipeline } from './pipeline-contract.ts';
import type { UsageStore } from './pipeline/usage-store.ts';
import { Quota } from './quota.ts';
import { Rejections } from './rejections.ts';
import { RepeatedBodies } from './repeated-bodies.ts';

export type { IngestContext } from './ingest-context.ts';
export { readEvents } from './native/read-events.ts';
export { mapSpan } from './otlp/span-mapping.ts';
export type { InheritedAgent, MappedField } from './otlp/span-mapping.ts';
export type { StoredSpan } from './otlp/stored-span.ts';
export { restoreCopies } from './payload-copies.ts';
export { LocalBatchBuilder } from './pipeline/batch-builder.ts';
export { BatchBuilderThread } from './pipeline/batch-builder-thread.ts';
export type { IngestPipeline, IngestTenant, TouchedHour, WrittenSpans } from './pipeline-contract.ts';
export { DeletionStore } from './pipeline/deletion-store.ts';
export { Pipeline } from './pipeline/pipeline.ts';
export { resolveTrace } from './pipeline/resolve-trace.ts';
export type { ResolvedNode, TraceNode } from './pipeline/resolve-trace.ts';
export { settleTraces } from './settle/settle-traces.ts';
export { TraceNotes } from './settle/trace-notes.ts';
export { UsageStore } from './pipeline/usage-store.ts';
export { priceSpan } from './pricing.ts';
export { ingestRoutes } from './routes.ts';
export type { IngestBatch, ScoreRecord, SpanRecord } from './span.ts';
export { ingestTables } from './tables.ts';

/** Contract section 3: 300 requests a minute per API key, a bucket of 300 refilled at 5 a second. */
export const ingestRate: BucketSize = { capacity: 300, refillPerSecond: 5 };

/** What the ingestion routes work with, over an opened pipeline. `buckets`: of size {@link ingestRate}; this process's own by default. */
export function ingestContext(
  pipeline: IngestPipeline,
  usage: Pick<UsageStore, 'eventsOfMonth' | 'recentEvents'>,
  clock: Clock,
  buckets: RateLimit = new TokenBuckets({ ...ingestRate, clock }),
): IngestContext {
  return {
    clock,
    pipeline,
    usage,
    quota: new Quota(usage, pipeline, clock),
    buckets,
    budget: new BodyBudget(),
    inflater: new Inflater(),
    bodies: new RepeatedBodies(clock),
    rejections: new Rejections(clock),
  };
}
