import { ServiceError } from '../../contract/errors.ts';

/** The database cannot be opened or brought up to date; the message tells the operator what to do. Shown without its stack. */
export class DatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseError';
  }
}

const retryAfterSeconds = 5;

/** SQLSTATEs after which a connection is gone: broken (08), shut down (57P), too many of them (53300). Node's own codes start with E. */
const lostConnection = /^(E[A-Z_]+|08...|57P0.|53300)$/;
/** What `pg` says without a code: in `client.js`, `pg-pool` and of a stream that ended. */
const lostConnectionText =
  /^(connection terminated|query read timeout|timeout exceeded when trying to connect|the embedded postgresql|client (was closed|has encountered))/i;
/** Full disk, memory or locks, an error of the disk, statement and lock timeouts: the connection lives, the statement may succeed later. */
const passing = /^(53[123]..|58030|57014|55P03)$/;

/** Whether a connection that answered with this error must not be used again. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (
    (typeof code === 'string' && lostConnection.test(code)) || (typeof message === 'string' && lostConnectionText.test(message))
  );
}

/**
 * Turns "the database is away or overloaded" into `ServiceError('unavailable')`, with the error as its cause; every other error
 * passes as it is.
 */
export function asServiceError(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (!isConnectionLost(error) && !(typeof code === 'string' && passing.test(code))) return error;
  return new ServiceError('unavailable', 'The database does not answer just now; try again in a few seconds.', {
    retryAfterSeconds,
    cause: error,
  });
}

/** Whether an error is PostgreSQL's refusal of a duplicate, optionally under one constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && (constraint === undefined || violated === constraint);
}
