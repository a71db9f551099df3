import type { Clock } from '../../platform/clock/clock.ts';
import type { RateLimit } from '../../platform/rate-limit/index.ts';
import type { BodyBudget } from './body-budget.ts';
import type { Inflater } from './inflater.ts';
import type { IngestPipeline } from './pipeline-contract.ts';
import type { UsageStore } from './pipeline/usage-store.ts';
import type { Quota } from './quota.ts';
import type { Rejections } from './rejections.ts';
import type { RepeatedBodies } from './repeated-bodies.ts';

/** What the ingestion routes work with. */
export interface IngestContext {
  clock: Clock;
  pipeline: IngestPipeline;
  usage: Pick<UsageStore, 'recentEvents'>;
  quota: Quota;
  /** One bucket a key, shared by the two endpoints. */
  buckets: RateLimit;
  budget: BodyBudget;
  inflater: Inflater;
  bodies: RepeatedBodies;
  rejections: Rejections;
}
