/** Retry policy of a job. */
export type RetryPolicy = GrowingWaits | ListedWaits;

/** Waits that grow by a factor. Milliseconds. */
interface GrowingWaits {
  /** Maximum attempts. */
  maxAttempts: number;
  /** After the first failed attempt. */
  firstMs: number;
  /** Factor between consecutive waits. */
  factor: number;
  maxMs: number;
  /** Maximum wait that a server may request (`Retry-After`). */
  maxAskedMs: number;
  /** Jitter, as a share of the wait: jobs that failed together are not retried together. */
  jitter: number;
}

/** The waits after the first failed attempts; after further ones the last of them. A `Retry-After` is ignored. */
interface ListedWaits {
  maxAttempts: number;
  /** Milliseconds. */
  waitsMs: readonly number[];
  /** Share of a wait by which it is shortened or lengthened at random. */
  spread: number;
}

/** For jobs of many steps, each of which sets the attempts to 1 when it is recorded: these are attempts without progress. */
export const retriesWithoutProgress: RetryPolicy = { maxAttempts: 5, waitsMs: [2_000, 10_000, 30_000], spread: 0.2 };

/**
 * How long to wait after a failed attempt, in milliseconds.
 *
 * @param attempts made so far, from 1
 * @param askedMs the server's `Retry-After`; the wait is not shorter
 * @param random 0 up to 1, excluded
 */
export function backoff(policy: RetryPolicy, attempts: number, askedMs: number | undefined, random: () => number): number {
  if ('waitsMs' in policy) {
    const listed = policy.waitsMs[attempts - 1] ?? policy.waitsMs.at(-1) ?? 0;
    return Math.round(listed * (1 + policy.spread * (2 * random() - 1)));
  }
  const wait = Math.min(policy.firstMs * policy.factor ** (attempts - 1), policy.maxMs);
  const asked = Math.min(askedMs ?? 0, policy.maxAskedMs);
  return Math.round(Math.max(wait, asked) * (1 + policy.jitter * random()));
}

/** The longest wait after a failed attempt, in milliseconds. */
export function longestWaitMs(policy: RetryPolicy): number {
  if ('waitsMs' in policy) return Math.max(...policy.waitsMs) * (1 + policy.spread);
  return Math.max(policy.maxMs, policy.maxAskedMs) * (1 + policy.jitter);
}
