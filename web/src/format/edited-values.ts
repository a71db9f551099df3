import { jsonLine } from './deep-json.ts';

/** Whether two forms, or two values of a field, are equal. */
export function same(one: unknown, other: unknown): boolean {
  return jsonLine(one) === jsonLine(other);
}

/**
 * Updates a form with newer values. Edited fields are kept.
 *
 * @param filled the values before editing
 */
export function refilled<Form extends object>(form: Form, filled: Form, now: Form): Form {
  const edited = Object.entries(form).filter(([name, value]) => !same(value, filled[name as keyof Form]));
  return { ...now, ...Object.fromEntries(edited) };
}
