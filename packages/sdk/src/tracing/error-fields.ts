import { messageOf } from '../message-of.ts';
import type { SpanFields } from './span.ts';

/** What a span says of an error: the HTTP status of an answer, else the error's code, else its class where it is more than Error. */
export function errorFields(error: unknown): SpanFields {
  try {
    return { status: 'error', errorCode: codeOf(error), errorMessage: messageOf(error) };
  } catch {
    // A getter that throws.
    return { status: 'error' };
  }
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, statusCode, code, name, constructor } = error as Record<string, unknown>;
  const kind = name === 'Error' ? (constructor as { name?: unknown } | undefined)?.name : name;
  // A DOMException, of any realm, has constants for what its code may be: a number of old. Its name says more.
  for (const one of [status, statusCode, 'ABORT_ERR' in error ? kind : code, kind]) {
    if (typeof one === 'number' || (typeof one === 'string' && one !== '' && one !== 'Error')) return String(one);
  }
  return undefined;
}
