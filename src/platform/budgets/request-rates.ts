import { ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../clock/clock.ts';
import { TokenBuckets } from '../rate-limit/index.ts';
import type { BucketSize } from '../rate-limit/index.ts';

/**
 * Requests that one process answers, as token buckets in its memory: they protect the process, so replicas need not share them. Routes with a bucket of
 * their own (ingestion, guardrail checks, outcomes, MCP) do not count, nor do health checks and the dashboard's files.
 */
const requestRates = {
  /** Without credentials, by address. */
  publicRequests: { capacity: 600, refillPerSecond: 10 },
  /** By API key or user. */
  authenticatedRequests: { capacity: 12_000, refillPerSecond: 200 },
} as const satisfies Record<string, BucketSize>;

const refusals: Readonly<Record<keyof typeof requestRates, string>> = {
  publicRequests: 'This address sends more than 600 requests a minute without credentials; send them less often.',
  authenticatedRequests: 'This caller sends more than 12,000 requests a minute; send them less often.',
};

/** Takes a token for each request. */
export class RequestRates {
  readonly #buckets: Readonly<Record<keyof typeof requestRates, TokenBuckets>>;

  constructor(clock: Clock) {
    this.#buckets = {
      publicRequests: new TokenBuckets({ ...requestRates.publicRequests, clock }),
      authenticatedRequests: new TokenBuckets({ ...requestRates.authenticatedRequests, clock }),
    };
  }

  /** @param key an address, an API key's id or a user's. Errors: `rate_limited`. */
  take(kind: keyof typeof requestRates, key: string): void {
    const retryAfterSeconds = this.#buckets[kind].take(key);
    if (retryAfterSeconds > 0) throw new ServiceError('rate_limited', refusals[kind], { retryAfterSeconds });
  }
}
