import { ServiceError } from '../../contract/errors.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Takes one token for a request and calls `next`, with `rate_limited` when the bucket is empty. For hooks before the body is read.
 *
 * @param refusal a sentence that says what to do
 */
export function takeToken(buckets: RateLimit, key: string, refusal: string, next: (error?: Error) => void): void {
  const answered = (retryAfterSeconds: number) =>
    retryAfterSeconds > 0 ? next(new ServiceError('rate_limited', refusal, { retryAfterSeconds })) : next();
  const taken = buckets.take(key);
  // A number in the common case, which needs no await.
  if (typeof taken === 'number') answered(taken);
  else taken.then(answered, next);
}
