import { ServiceError } from '../../contract/errors.ts';

/** Failures per window for an account and address (docs/semantics.md, "Sign-in limit"). */
const maxOfAddress = 10;
const addressWindowMs = 15 * 60_000;
/** Failures per window for an account from all addresses, after which each further attempt has to wait. */
const freeOfAccount = 20;
export const accountWindowMs = 60 * 60_000;
const longestDelayMs = 60_000;
/** As many failures as change the delay. */
const keptOfAccount = freeOfAccount + Math.ceil(Math.log2(longestDelayMs / 1_000)) + 1;

/**
 * Adds an attempt to the failures of an account and address.
 *
 * @param failedAt epoch milliseconds, oldest first
 *
 * Errors: `rate_limited` after 10 in 15 minutes, until the oldest of them is 15 minutes old.
 */
export function withAttemptOfAddress(failedAt: readonly number[], nowMs: number): number[] {
  const counted = within(failedAt, nowMs, addressWindowMs).slice(-maxOfAddress);
  const [oldest] = counted;
  if (oldest !== undefined && counted.length === maxOfAddress)
    throw tooManyFailures('Too many wrong passwords; wait a few minutes and try again.', oldest + addressWindowMs - nowMs);
  return [...counted, nowMs];
}

/**
 * Adds an attempt to the failures of an account from all addresses.
 *
 * @param failedAt epoch milliseconds, oldest first
 *
 * Errors: `rate_limited` within 1 s of the last after 20 in an hour, 2 s after 21, and so on up to 60 s.
 */
export function withAttemptOfAccount(failedAt: readonly number[], nowMs: number): number[] {
  const counted = within(failedAt, nowMs, accountWindowMs).slice(-keptOfAccount);
  const newest = counted.at(-1) ?? Number.NEGATIVE_INFINITY;
  const leftMs = newest + delayAfterMs(counted.length) - nowMs;
  if (leftMs > 0)
    throw tooManyFailures(
      'Many wrong passwords were given for this account; wait a moment and try again, or use a browser that has signed in to it before.',
      leftMs,
    );
  return [...counted, nowMs];
}

/** Milliseconds that an attempt has to wait after so many failures. */
function delayAfterMs(failures: number): number {
  return failures < freeOfAccount ? 0 : Math.min(longestDelayMs, 1_000 * 2 ** (failures - freeOfAccount));
}

/** Failures of a clock that was ahead do not count: they would lock the account for as long as it was ahead. */
function within(failedAt: readonly number[], nowMs: number, windowMs: number): number[] {
  return failedAt.filter((at) => at > nowMs - windowMs && at < nowMs + windowMs);
}

function tooManyFailures(message: string, waitMs: number): ServiceError {
  return new ServiceError('rate_limited', message, { retryAfterSeconds: waitMs / 1_000 });
}
