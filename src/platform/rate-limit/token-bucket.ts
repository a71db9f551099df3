import type { Clock } from '../clock/clock.ts';
import type { BucketSize, RateLimit } from './rate-limit.ts';

interface Bucket {
  tokens: number;
  /** Epoch milliseconds for which `tokens` was computed. */
  at: number;
}

export interface TokenBucketOptions extends BucketSize {
  clock: Clock;
  /** Maximum buckets in memory; a key without one counts as full. */
  maxBuckets?: number;
}

/**
 * Token buckets by key, in this process alone (docs/semantics.md, "Rate limit"). A bucket of 300 that refills at 5 a second admits a burst
 * of 300 at any moment, then 5 a second. Own code: `rate-limiter-flexible` counts in windows and cannot refill steadily.
 */
export class TokenBuckets implements RateLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #options: TokenBucketOptions;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
  }

  /**
   * Takes one token.
   *
   * @returns 0 when a token was taken, else the whole seconds, at least 1, until one is available
   */
  take(key: string): number {
    const now = this.#options.clock.now();
    const tokens = this.#tokensOf(key, now);
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    this.#forgetOldest();
    return this.#secondsUntilOne(tokens);
  }

  /** The result of {@link take}, without taking one. */
  wait(key: string): number {
    return this.#secondsUntilOne(this.#tokensOf(key, this.#options.clock.now()));
  }

  #tokensOf(key: string, now: number): number {
    const { capacity, refillPerSecond } = this.#options;
    const bucket = this.#buckets.get(key) ?? { tokens: capacity, at: now };
    // When the clock was set back, refill nothing.
    const elapsed = Math.max(0, now - bucket.at);
    return Math.min(capacity, bucket.tokens + (elapsed * refillPerSecond) / 1000);
  }

  #secondsUntilOne(tokens: number): number {
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / this.#options.refillPerSecond));
  }

  /** Evicts the least recently used bucket, the one most likely to be full again. */
  #forgetOldest(): void {
    if (this.#buckets.size <= (this.#options.maxBuckets ?? 100_000)) return;
    const oldest = this.#buckets.keys().next();
    if (!oldest.done) this.#buckets.delete(oldest.value);
  }
}
