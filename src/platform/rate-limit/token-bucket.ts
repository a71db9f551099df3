import type { Clock } from '../clock/clock.ts';
import type { BucketSize, RateLimit } from './rate-limit.ts';

interface Bucket {
  tokens: number;
  /** Epoch milliseconds at which `tokens` was right. */
  at: number;
}

export interface TokenBucketOptions extends BucketSize {
  clock: Clock;
  /** Most buckets held; a key without one has a full bucket. */
  mostBuckets?: number;
}

/**
 * Token buckets by key, in this process alone. Own code, since `rate-limiter-flexible` counts in windows and cannot refill steadily: a bucket of 300 that
 * refills at 5 a second (contract section 3) lets a burst of 300 through and 5 a second after it, at any moment.
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
   * @returns 0 when there was one, else the whole seconds, at least 1, until there is
   */
  take(key: string): number {
    const { capacity, refillPerSecond, clock } = this.#options;
    const now = clock.now();
    const bucket = this.#buckets.get(key) ?? { tokens: capacity, at: now };
    // A clock that was set back gives nothing and takes nothing.
    const elapsed = Math.max(0, now - bucket.at);
    const tokens = Math.min(capacity, bucket.tokens + (elapsed * refillPerSecond) / 1000);
    const taken = tokens >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now });
    this.#forgetOldest();
    return taken ? 0 : Math.max(1, Math.ceil((1 - tokens) / refillPerSecond));
  }

  /** The least recently used bucket goes first; it is the one most likely full again. */
  #forgetOldest(): void {
    if (this.#buckets.size <= (this.#options.mostBuckets ?? 100_000)) return;
    const oldest = this.#buckets.keys().next();
    if (!oldest.done) this.#buckets.delete(oldest.value);
  }
}
