export { openRedisBuckets } from './open-redis-buckets.ts';
export { PostgresBuckets } from './postgres-buckets.ts';
export type { BucketSize, BucketStore, RateLimit } from './rate-limit.ts';
export { SharedTokenBuckets } from './shared-token-buckets.ts';
export { TokenBuckets } from './token-bucket.ts';
