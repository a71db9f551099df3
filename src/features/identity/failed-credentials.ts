import { ServiceError } from '../../contract/errors.ts';
import { limitedAddress } from '../../platform/net/index.ts';
import type { RateLimit } from '../../platform/rate-limit/index.ts';

/** Limits the wrong keys, tokens, cookies and passwords of an address (docs/semantics.md, "Failed credentials"). */
export class FailedCredentials {
  readonly #limit: RateLimit;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Rejects an address whose budget is spent, before its secret is checked. Errors: `rate_limited`. */
  refuse(address: string): void {
    const seconds = this.#limit.wait(limitedAddress(address));
    if (seconds > 0) throw tooMany(seconds);
  }

  /** Counts a failure. Errors: `rate_limited` when the budget was spent before it. */
  async count(address: string): Promise<void> {
    const seconds = await this.#limit.take(limitedAddress(address));
    if (seconds > 0) throw tooMany(seconds);
  }
}

/**
 * Checks a secret that a public route takes, such as the token of an invitation, within the budget of failed credentials of the client's address:
 * `limitedByAddress(context, request.ip, () => acceptInvitation(...))`. A check that ends in `not_found` or `unauthenticated` is a failure.
 *
 * Errors: those of `check`; `rate_limited` once the budget is spent.
 */
export async function limitedByAddress<T>(
  { signInLimits: { failedCredentials } }: { signInLimits: { failedCredentials: FailedCredentials } },
  address: string,
  check: () => Promise<T>,
): Promise<T> {
  failedCredentials.refuse(address);
  try {
    return await check();
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'not_found' || error.code === 'unauthenticated'))
      await failedCredentials.count(address);
    throw error;
  }
}

function tooMany(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many wrong passwords, keys, tokens or cookies came from your address; correct them and try again later.',
    { retryAfterSeconds },
  );
}
