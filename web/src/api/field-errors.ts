import { ApiError } from './client.ts';

/** A refusal as a form shows it: what the service says about a field stands at the field. */
export interface FieldErrors {
  /** What is said about the field at a JSON pointer, such as `/prompt`, or about a part of it; null for nothing. */
  at(path: string): string | null;
  /** What is left to say where the form shows these fields; null when they say it all. */
  rest(shown: readonly string[]): string | null;
}

const isAbout = (path: string, field: string) => path === field || path.startsWith(`${field}/`);

/** Reads a refusal. `conflict` is the field that a 409 is about, such as a name that is taken. */
export function fieldErrors(error: unknown, conflict?: string): FieldErrors {
  if (error === null || error === undefined) return { at: () => null, rest: () => null };
  if (!(error instanceof ApiError)) return { at: () => null, rest: () => 'That did not work. Try again.' };
  const details = error.status === 409 && conflict !== undefined ? [{ path: conflict, message: error.message }] : error.details;
  return {
    at: (field) => details.find(({ path }) => isAbout(path, field))?.message ?? null,
    rest: (shown) => {
      const unsaid = details.filter(({ path }) => !shown.some((field) => isAbout(path, field)));
      return details.length > 0 && unsaid.length === 0 ? null : error.message;
    },
  };
}
