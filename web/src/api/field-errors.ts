import { ApiError } from './client.ts';

/** A refusal as a form shows it: what the service says about a field stands at the field. */
export interface FieldErrors {
  /** A sentence about the field at a JSON pointer, such as `/prompt`, or about a part of it; null for nothing. */
  at(path: string): string | null;
  /** What is left to say where the form shows these fields; null when they say it all. */
  rest(shown: readonly string[]): string | null;
}

/** The service ends a sentence that begins with the field's name: "must have at least 8 characters". Beside the field it stands alone. */
function sentence(message: string): string {
  if (message === 'is required' || message === 'must not be empty') return 'Fill this in.';
  if (message === 'is taken') return 'This is taken: choose another.';
  return /^\p{Ll}/u.test(message) ? `This ${message}${/[.!?]$/.test(message) ? '' : '.'}` : message;
}

const isAbout = (path: string, field: string) => path === field || path.startsWith(`${field}/`);

/** Reads a refusal. `conflict` is the field that a 409 is about, such as a name that is taken. */
export function fieldErrors(error: unknown, conflict?: string): FieldErrors {
  if (error === null || error === undefined) return { at: () => null, rest: () => null };
  if (!(error instanceof ApiError)) return { at: () => null, rest: () => 'That did not work. Try again.' };
  const details = error.status === 409 && conflict !== undefined ? [{ path: conflict, message: error.message }] : error.details;
  return {
    at: (field) => {
      const found = details.find(({ path }) => isAbout(path, field));
      return found === undefined ? null : sentence(found.message);
    },
    rest: (shown) => {
      const unsaid = details.filter(({ path }) => !shown.some((field) => isAbout(path, field)));
      return details.length > 0 && unsaid.length === 0 ? null : error.message;
    },
  };
}
