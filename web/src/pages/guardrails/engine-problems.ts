import type { Problem } from '../../content/guardrail-worker.ts';
import { pointerSteps } from '../../format/json-pointer.ts';

/** The value at a JSON pointer; undefined if there is none. */
function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const step of pointerSteps(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

const isBlank = (value: unknown) =>
  value === undefined || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);

/** The message without the name of the field, which it stands beside: `Must be an integer from 1 to 10.` */
function besideField({ path, message }: Problem): string {
  const name = `\`${path.slice(1).replaceAll('/', '.')}\` `;
  if (!message.startsWith(name)) return message;
  const rest = message.slice(name.length);
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

/**
 * The problems of a draft to show at their fields. Until the form was sent, an empty field is not a problem: the viewer has not come
 * to it yet.
 *
 * @param draft the guardrail as the engine checked it
 */
export function shownProblems(problems: readonly Problem[], draft: object, wasSent: boolean): Problem[] {
  return problems
    .filter(({ path }) => wasSent || !isBlank(valueAt(draft, path)))
    .map((problem) => ({
      path: problem.path,
      message: isBlank(valueAt(draft, problem.path)) ? 'Required.' : besideField(problem),
    }));
}

/** The message for the field at a JSON pointer, or for a part of it, which it names; null if there is none. */
export function problemAt(problems: readonly Problem[], field: string): string | null {
  const found = problems.find(({ path }) => path === field || path.startsWith(`${field}/`));
  if (!found) return null;
  const part = found.path.slice(field.length + 1);
  if (part === '') return found.message;
  return `${/^\d+$/.test(part) ? `Item ${Number(part) + 1}` : `At ${part}`}: ${found.message}`;
}
