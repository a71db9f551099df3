import type { Clock } from '../../platform/clock/clock.ts';
import { TokenBuckets } from '../../platform/rate-limit/index.ts';
import type { BucketSize, RateLimit } from '../../platform/rate-limit/index.ts';
import type { IngestPipeline, UsageStore } from '../trace-store/index.ts';
import { BodyBudget } from './body-budget.ts';
import { BodyReader } from './body-reader.ts';
import { Inflater } from './inflater.ts';
import { Quota } from './quota.ts';
import { Rejections } from './rejections.ts';
import { RepeatedBodies } from './repeated-bodies.ts';

/** Dependencies of the ingestion routes. */
export interface IngestContext {
  clock: Clock;
  pipeline: IngestPipeline;
  usage: Pick<UsageStore, 'recentEvents'>;
  quota: Quota;
  /** A bucket per key, shared by the two endpoints. */
  buckets: RateLimit;
  budget: BodyBudget;
  inflater: Inflater;
  reader: BodyReader;
  bodies: RepeatedBodies;
  rejections: Rejections;
}

/** Requests per API key (docs/semantics.md, "Rate limit"). */
export const ingestRate: BucketSize = { capacity: 300, refillPerSecond: 5 };

/** The context over a pipeline. `buckets` have the size {@link ingestRate}; by default they are in memory. */
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
    reader: new BodyReader(),
    bodies: new RepeatedBodies(clock),
    rejections: new Rejections(clock),
  };
}
