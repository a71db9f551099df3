/** How often and how fast a job is tried again. Milliseconds. */
export interface RetryPolicy {
  /** Attempts that a job has. */
  maxAttempts: number;
  /** After the first failed attempt. */
  firstMs: number;
  /** What each further wait is multiplied by. */
  factor: number;
  maxMs: number;
  /** The longest wait that the other side may ask for (`Retry-After`). */
  maxAskedMs: number;
  /** What is added at random, as a share of the wait: jobs that failed together are not tried again together. */
  jitter: number;
}

/**
 * How long to wait after a failed attempt, in milliseconds.
 *
 * @param attempts made so far, from 1
 * @param askedMs what the other side asks for; the wait is not shorter
 * @param random 0 up to 1, excluded
 */
export function backoff(policy: RetryPolicy, attempts: number, askedMs: number | undefined, random: () => number): number {
  const wait = Math.min(policy.firstMs * policy.factor ** (attempts - 1), policy.maxMs);
  const asked = Math.min(askedMs ?? 0, policy.maxAskedMs);
  return Math.round(Math.max(wait, asked) * (1 + policy.jitter * random()));
}
