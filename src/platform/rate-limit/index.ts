export { openRateLimit } from './open-rate-limit.ts';
export type { RateLimitPlatform } from './open-rate-limit.ts';
export { openRedisBuckets } from './open-redis-buckets.ts';
export { PostgresBuckets } from './postgres-buckets.ts';
export type { BucketSize, BucketStore, RateLimit } from './rate-limit.ts';
export { takeToken } from './take-token.ts';
export { TokenBuckets } from './token-bucket.ts';
