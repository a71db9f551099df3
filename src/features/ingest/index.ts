import type { Clock } from '../../platform/clock/clock.ts';
import { TokenBuckets } from '../../platform/rate-limit/token-bucket.ts';
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
export { LocalBatchBuilder } from './pipeline/batch-builder.ts';
export { BatchBuilderThread } from './pipeline/batch-builder-thread.ts';
export type { IngestPipeline, IngestTenant, TouchedHour, WrittenSpans } from './pipeline-contract.ts';
export { Pipeline } from './pipeline/pipeline.ts';
export { resolveTrace } from './pipeline/resolve-trace.ts';
export type { ResolvedNode, TraceNode } from './pipeline/resolve-trace.ts';
export { UsageStore } from './pipeline/usage-store.ts';
export { priceSpan } from './pricing.ts';
export { ingestRoutes } from './routes.ts';
export type { IngestBatch, ScoreRecord, SpanRecord } from './span.ts';
export { ingestTables } from './tables.ts';

/** Contract section 3: 300 requests a minute per API key, a bucket of 300 refilled at 5 a second. */
const rateLimit = { capacity: 300, refillPerSecond: 5 };

/** What the ingestion routes work with, over an opened pipeline. */
export function ingestContext(
  pipeline: IngestPipeline,
  usage: Pick<UsageStore, 'eventsOfMonth' | 'recentEvents'>,
  clock: Clock,
): IngestContext {
  return {
    clock,
    pipeline,
    usage,
    quota: new Quota(usage, pipeline, clock),
    buckets: new TokenBuckets({ ...rateLimit, clock }),
    budget: new BodyBudget(),
    inflater: new Inflater(),
    bodies: new RepeatedBodies(clock),
    rejections: new Rejections(clock),
  };
}
