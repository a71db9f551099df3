import { ApiError } from './client.ts';

/**
 * What stands in place of what was to be read; null when there is something to show. What was read before stays in sight while the service does
 * not answer, and while nobody is signed in: the sidebar, or a dialog, says so.
 */
export function failureOf({ error, data }: { error: unknown; data: unknown }): unknown {
  const passing = error instanceof ApiError && (error.status === 0 || error.status === 401 || error.status >= 500);
  return data !== undefined && passing ? null : error;
}
