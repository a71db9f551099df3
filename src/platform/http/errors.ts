import type { FastifyError } from 'fastify';
import { errorStatuses, ServiceError } from '../../contract/errors.ts';
import type { ErrorCode, ErrorDetail } from '../../contract/errors.ts';
import { RequestInvalid } from './request-validation.ts';

/** An error as it is sent. */
export interface PublicError {
  status: number;
  code: ErrorCode;
  message: string;
  details: readonly ErrorDetail[] | undefined;
  extra: Readonly<Record<string, unknown>> | undefined;
  retryAfterSeconds: number | undefined;
}

/** Fastify's own errors by code, with the messages of this service. */
const frameworkErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body in a media type that this path takes, such as application/json, and name it in the content-type header.',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is too large; send less in one request.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_request',
    'The content-length header does not match the body; send the request again.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_request', 'The body is empty; send a JSON object.'],
  FST_ERR_BAD_URL: ['invalid_request', 'The path is not valid; percent-encode its segments as UTF-8.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is nothing at this path; one of its segments is too long.'],
};

/**
 * Maps an error to its status and public text (docs/semantics.md, "Errors"); no other code does. The text comes from a {@link ServiceError} or
 * from the table here; any other error is `internal`, and its text is only logged.
 */
export function publicError(error: unknown): PublicError {
  if (error instanceof ServiceError) {
    const { code, message, details, extra, retryAfterSeconds } = error;
    return { status: errorStatuses[code], code, message, details, extra, retryAfterSeconds };
  }
  if (error instanceof RequestInvalid) {
    return publicErrorOf('invalid_request', validationSentence(error.validationContext ?? 'body', error.details), error.details);
  }
  // Any value can be thrown, also null.
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  const known = code === undefined ? undefined : frameworkErrors[code];
  if (known) return publicErrorOf(known[0], known[1]);
  if (statusCode === 400) return publicErrorOf('invalid_request', 'The request could not be read; check its body and headers.');
  if (statusCode === 413) return publicErrorOf('payload_too_large', 'The body is too large; send less in one request.');
  return publicErrorOf(
    'internal',
    'Something went wrong on our side; try again, and give the x-request-id header to your operator if it stays.',
  );
}

function publicErrorOf(code: ErrorCode, message: string, details?: readonly ErrorDetail[]): PublicError {
  return { status: errorStatuses[code], code, message, details, extra: undefined, retryAfterSeconds: undefined };
}

const partNames: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' };

function validationSentence(context: string, details: readonly ErrorDetail[]): string {
  const part = partNames[context] ?? context;
  const first = details[0];
  if (!first) return `Correct the ${part} and send the request again.`;
  const sentence = `Correct the ${part}: ${first.path === '' ? 'it' : first.path} ${first.message}`;
  return sentence.endsWith('?') ? sentence : `${sentence}.`;
}

/** The error body of every JSON route (docs/semantics.md, "Errors"). */
export function errorBody(error: PublicError): Record<string, unknown> {
  return {
    ...error.extra,
    error: error.message,
    code: error.code,
    ...(error.details ? { details: error.details } : {}),
  };
}
