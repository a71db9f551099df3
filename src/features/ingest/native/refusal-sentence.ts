import type { z } from 'zod';

/** The error of an event that violates the schema: one sentence that names the field and the constraint. */
export function refusalSentence(error: z.ZodError, event: object): string {
  const issue = error.issues[0];
  if (!issue) return 'The event is not valid; compare it with the documentation of its type.';
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 100)));
    return `${path === '' ? 'The event' : path} has no field ${keys.join(', ')}; remove it, or put it into metadata.`;
  }
  if (path === 'type') return 'type must be span, trace or score.';
  if (issue.path.length === 1 && !Object.hasOwn(event, path)) return `${path} is required.`;
  return `${path} ${issue.message}.`;
}
