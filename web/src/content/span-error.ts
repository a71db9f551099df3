import type { TraceSpan } from '../api/wire.ts';

/** Codes that carry no information beside a message. */
const vagueCodes: ReadonlySet<string> = new Set(['unknown', 'error']);

type SpanError = Pick<TraceSpan, 'errorCode' | 'errorMessage'>;

/** The error code of a span; null if it is missing, or vague beside a message. */
export function errorCodeOf({ errorCode, errorMessage }: SpanError): string | null {
  return errorMessage !== null && vagueCodes.has(errorCode?.toLowerCase() ?? '') ? null : errorCode;
}

/** Error code and message of a span on one line; empty if it has neither. */
export function errorLine(error: SpanError): string {
  return [errorCodeOf(error), error.errorMessage].filter(Boolean).join(': ');
}
