import { ServiceError } from '../../contract/errors.ts';
import type { ErrorCode, ServiceErrorOptions } from '../../contract/errors.ts';

/** Causes beyond this depth are left out. */
const maxCauses = 10;

/** An error as it travels between threads. The structured clone algorithm would drop its class, its `code` and other fields. */
export interface SentError {
  name: string;
  message: string;
  stack: string | null;
  /** Error code of a system call or a database, such as `ENOSPC`. */
  code: string | number | null;
  /** Set for a {@link ServiceError}, which is a {@link ServiceError} on the other side too. */
  service: (Pick<ServiceErrorOptions, 'details' | 'extra' | 'retryAfterSeconds'> & { code: ErrorCode }) | null;
  cause: SentError | null;
}

/** Describes an error, with up to ten causes, in values that can be cloned. A value that is no Error becomes one with its text. */
export function sendError(error: unknown, depth = 0): SentError {
  if (!(error instanceof Error)) {
    return { name: 'Error', message: String(error), stack: null, code: null, service: null, cause: null };
  }
  const { code } = error as { code?: unknown };
  const hasCause = error.cause !== undefined && error.cause !== null && depth < maxCauses;
  return {
    name: error.name,
    message: error.message,
    stack: error.stack ?? null,
    code: typeof code === 'string' || typeof code === 'number' ? code : null,
    service: error instanceof ServiceError ? serviceFieldsOf(error) : null,
    cause: hasCause ? sendError(error.cause, depth + 1) : null,
  };
}

function serviceFieldsOf({ code, details, extra, retryAfterSeconds }: ServiceError): SentError['service'] {
  return {
    code,
    ...(details && { details }),
    ...(extra && { extra }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** The error that {@link sendError} described: a ServiceError, or an Error with the same name, message, stack, code and cause. */
export function receiveError({ name, message, stack, code, service, cause }: SentError): Error {
  const options = cause ? { cause: receiveError(cause) } : {};
  const error = service
    ? new ServiceError(service.code, message, { ...service, ...options })
    : Object.assign(new Error(message, options), code === null ? {} : { code });
  if (error.name !== name) error.name = name;
  if (stack !== null) error.stack = stack;
  return error;
}
