/** How often an evaluation is tried. */
export const mostAttempts = 5;

const firstMs = 5_000;
const longestMs = 10 * 60_000;
/** The longest that a service's own `Retry-After` is heeded. */
const longestAskedMs = 60 * 60_000;

/**
 * How long to wait after a failed attempt, in milliseconds: 5 s, 20 s, 80 s, ..., at most 10 minutes, or longer where the other side asks for it.
 *
 * @param attempts made so far, from 1
 */
export function retryAfter(attempts: number, askedMs: number | undefined): number {
  const backoff = Math.min(firstMs * 4 ** (attempts - 1), longestMs);
  return Math.max(backoff, Math.min(askedMs ?? 0, longestAskedMs));
}
