import { ServiceError } from '../../contract/errors.ts';

/** The database cannot be opened or migrated; the message tells the operator what to do. Printed without a stack. */
export class DatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseError';
  }
}

const retryAfterSeconds = 5;

/** SQLSTATEs that end a connection: broken (08), shut down (57P), too many connections (53300); and Node's codes, which start with E. */
const lostConnection = /^(E[A-Z_]+|08...|57P0.|53300)$/;
/** Messages of `pg` errors without a code: of `client.js`, of `pg-pool`, and of a stream that ended. */
const lostConnectionText =
  /^(connection terminated|query read timeout|timeout exceeded when trying to connect|the embedded postgresql|client (was closed|has encountered))/i;
/** Out of disk, memory or locks, I/O errors, statement and lock timeouts, deadlocks: the connection works, a retry may succeed. */
const transientCode = /^(53[123]..|58030|57014|55P03|40P01)$/;

/** Whether a connection must not be reused after this error. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (
    (typeof code === 'string' && lostConnection.test(code)) || (typeof message === 'string' && lostConnectionText.test(message))
  );
}

/**
 * Converts errors of an unreachable or overloaded database to `ServiceError('unavailable')` with the error as its cause. Returns every
 * other error unchanged.
 */
export function asServiceError(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (!isConnectionLost(error) && !(typeof code === 'string' && transientCode.test(code))) return error;
  return new ServiceError('unavailable', 'The database does not answer just now; try again in a few seconds.', {
    retryAfterSeconds,
    cause: error,
  });
}

/** Whether an error is a unique violation, optionally of one constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && (constraint === undefined || violated === constraint);
}

/** Whether an error is a foreign key violation, such as that of a row of a project that was deleted meanwhile. */
export function isForeignKeyViolation(error: unknown): boolean {
  return ((error ?? {}) as { code?: unknown }).code === '23503';
}
