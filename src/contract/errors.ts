/**
 * The table of error codes (docs/semantics.md, "Errors"). Code below the HTTP layer throws a code; only the HTTP layer maps it to a status.
 */
export const errorStatuses = {
  invalid_request: 400,
  invalid_policy: 400,
  invalid_filter: 400,
  invalid_query: 400,
  unauthenticated: 401,
  forbidden: 403,
  plan_required: 403,
  sharing_disabled: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  environment_in_use: 409,
  connection_in_use: 409,
  managed_by_code: 409,
  differs_from_file: 409,
  stale_plan: 409,
  policy_detached: 409,
  removal_not_allowed: 409,
  no_prompt: 409,
  no_model_connection: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  quota_exceeded: 429,
  not_implemented: 501,
  internal: 500,
  query_too_slow: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** One entry of `details` of a validation error: `path` is a JSON pointer into the request (`/tags/0`). */
export interface ErrorDetail {
  path: string;
  message: string;
  /** Of a filter: the offsets of what is wrong in UTF-16 units, `end` exclusive, and the nearest name. */
  start?: number;
  end?: number;
  suggestion?: string;
}

export interface ServiceErrorOptions {
  /** Validation details, shown to the caller. */
  details?: readonly ErrorDetail[];
  /** Sent as `Retry-After`, whole seconds, at least 1. */
  retryAfterSeconds?: number;
  /** Further public fields of the error body (for example `attached`). */
  extra?: Readonly<Record<string, unknown>>;
  /** The internal cause. Logged, never sent. */
  cause?: unknown;
}

/**
 * An error whose `message` is written for the caller: one sentence that says what to do. Internal causes go into
 * `cause`, which is logged and never sent.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly extra: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.extra = options.extra;
  }

  get status(): number {
    return errorStatuses[this.code];
  }
}

/** Whether an error means that a store does not answer, so that the same may succeed later. */
export function isUnavailable(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'unavailable';
}
