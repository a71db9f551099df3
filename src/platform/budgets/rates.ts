import { openRateLimit } from '../rate-limit/index.ts';
import type { BucketSize, RateLimit, RateLimitPlatform } from '../rate-limit/index.ts';

const hour = 3_600;

/** What one key may do over time, as token buckets that replicas share. Addresses are those of `limitedAddress`. */
export const rates = {
  /** Wrong API keys, tokens, cookies and passwords, by address. */
  failedCredentials: { capacity: 100, refillPerSecond: 100 / hour, what: 'failed credentials' },
} as const satisfies Record<string, BucketSize & { what: string }>;

/** The rate whose buckets take longest to be full again: older rows of any rate can be deleted. */
export const slowestRate: BucketSize = Object.values<BucketSize>(rates).reduce((slowest, rate) =>
  rate.capacity / rate.refillPerSecond > slowest.capacity / slowest.refillPerSecond ? rate : slowest,
);

/** A rate limit of one kind. Its buckets are named after the kind, since the kinds share a store. */
export function rateOf(platform: RateLimitPlatform, kind: keyof typeof rates): RateLimit {
  const { what, ...size } = rates[kind];
  const limit = openRateLimit(platform, size, what);
  return { take: (key) => limit.take(`${kind} ${key}`), wait: (key) => limit.wait(`${kind} ${key}`) };
}
