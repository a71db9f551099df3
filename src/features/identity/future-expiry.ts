import { ServiceError } from '../../contract/errors.ts';

/**
 * The time at which a token or key expires, as a column value; null: never.
 *
 * @param of what expires: "token"
 *
 * Errors: `invalid_request` for a time that is not in the future.
 */
export function futureExpiry(expiresAt: string | null | undefined, now: Date, of: 'token' | 'key'): Date | null {
  if (expiresAt === undefined || expiresAt === null) return null;
  const expiry = new Date(expiresAt);
  if (expiry > now) return expiry;
  throw new ServiceError(
    'invalid_request',
    `expiresAt is in the past; give a later time, or none for a ${of} that does not expire.`,
    { details: [{ path: '/expiresAt', message: 'must be in the future' }] },
  );
}
