import type { Reader } from './convention.ts';

/** An HTTP status of a failure, after what error classes and clients put in front of it: `RateLimitError: 429 You exceeded ...`. */
const atStart = /^(?:[\w.]*(?:Error|Exception): |HTTP |Error code: )*([45]\d\d)\b/;
/** A status within a text, beside the words that name one: `Error code: 429`, `status_code: 429`, `'code': 429`, `429 RESOURCE_EXHAUSTED`. */
const named =
  /(?:\bError code:? |\bHTTP(?:\/\d(?:\.\d)?)?(?: status| error)?:? |["']?\b(?:http_?)?status(?:[ _-]?code)?["']?\s?[:=]?\s?["']?|["']code["']\s?:\s?["']?|\bcode\s?[=:]\s?)([45]\d\d)\b(?!\.?\d)/i;
/** A status before its name in Google's interfaces or in HTTP: `429 RESOURCE_EXHAUSTED`, `'429 Too Many Requests'`; or between `Error` and a mark. */
const withName =
  /\b([45]\d\d) (?:INVALID_ARGUMENT|FAILED_PRECONDITION|UNAUTHENTICATED|PERMISSION_DENIED|NOT_FOUND|RESOURCE_EXHAUSTED|INTERNAL|UNAVAILABLE|DEADLINE_EXCEEDED|Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Request Timeout|Conflict|Payload Too Large|Unprocessable (?:Entity|Content)|Too Many Requests|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out)\b/i;
const marked = /\bError[: ]\s?([45]\d\d)(?=[:,)]|\s-|\s*$)/i;
/** Exceptions of AWS that are of this status: `An error occurred (ThrottlingException) when calling the Converse operation`. */
const ofAws = /\((?:ThrottlingException|TooManyRequestsException|Throttling|RequestLimitExceeded)\)/;
/** A status is said at the beginning; stack traces are long. */
const maxRead = 4096;

/** Reads the HTTP status, 400 to 599, in an error message: docs/semantics.md, "Span status and error codes". */
export const statusIn: Reader<string> = (value) => (typeof value === 'string' ? statusOf(value.slice(0, maxRead)) : undefined);

function statusOf(text: string): string | undefined {
  return (
    atStart.exec(text)?.[1] ??
    named.exec(text)?.[1] ??
    withName.exec(text)?.[1] ??
    marked.exec(text)?.[1] ??
    (ofAws.test(text) ? '429' : undefined)
  );
}
