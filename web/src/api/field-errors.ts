import { ApiError } from './client.ts';

/** A validation error, split by form field. */
export interface FieldErrors {
  /** The message for the field at a JSON pointer such as `/prompt`, or for a part of it; null if there is none. */
  at(path: string): string | null;
  /** The message for errors outside the given fields; null if the fields show all errors. */
  rest(shown: readonly string[]): string | null;
}

const idRule = 'must be an ID ';

/** Details are predicates such as "must have at least 8 characters"; beside a field they become a sentence. */
function sentence(message: string): string {
  if (message === 'is required' || message === 'must not be empty') return 'Required.';
  if (message.startsWith(idRule)) return `Enter an ID, ${message.slice(idRule.length)}.`;
  if (message === 'is taken') return 'Already taken. Choose another.';
  if (!/^\p{Ll}/u.test(message)) return message;
  const text = message.startsWith('must ') ? `Must${message.slice(4)}` : `This ${message}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const isAbout = (path: string, field: string) => path === field || path.startsWith(`${field}/`);

/** Splits an error by field. @param conflict the field that a 409 refers to, such as a name that is taken */
export function fieldErrors(error: unknown, conflict?: string): FieldErrors {
  if (error === null || error === undefined) return { at: () => null, rest: () => null };
  if (!(error instanceof ApiError)) return { at: () => null, rest: () => 'Request failed. Try again.' };
  const details = error.status === 409 && conflict !== undefined ? [{ path: conflict, message: error.message }] : error.details;
  return {
    at: (field) => {
      const found = details.find(({ path }) => isAbout(path, field));
      return found === undefined ? null : sentence(found.message);
    },
    rest: (shown) => {
      const remaining = details.filter(({ path }) => !shown.some((field) => isAbout(path, field)));
      return details.length > 0 && remaining.length === 0 ? null : error.message;
    },
  };
}
