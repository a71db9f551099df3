import type { Logger } from 'pino';
import type { Clock } from '../clock/clock.ts';
import type { BucketSize, BucketStore, RateLimit } from './rate-limit.ts';
import { SharedTokenBuckets } from './shared-token-buckets.ts';
import { TokenBuckets } from './token-bucket.ts';

export interface RateLimitPlatform {
  /** Null: this process counts alone. */
  buckets: BucketStore | null;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
}

/** Opens a rate limit, shared by the processes that use the store. @param what the limited requests, for the log: `checks` */
export function openRateLimit({ buckets: store, clock, log }: RateLimitPlatform, size: BucketSize, what: string): RateLimit {
  if (store === null) return new TokenBuckets({ ...size, clock });
  return new SharedTokenBuckets({
    ...size,
    store,
    clock,
    onAway: (error) =>
      log.warn({ err: error }, `the rate limit of ${what} counts in this replica alone while ${store.name} does not answer`),
    onBack: () => log.warn(`the rate limit of ${what} is shared in ${store.name} again`),
  });
}
