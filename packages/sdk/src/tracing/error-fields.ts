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
  for (const one of [status, statusCode, code]) {
    if ((typeof one === 'string' && one !== '') || typeof one === 'number') return String(one);
  }
  const kind = name === 'Error' ? (constructor as { name?: unknown } | undefined)?.name : name;
  return typeof kind === 'string' && kind !== 'Error' ? kind : undefined;
}
