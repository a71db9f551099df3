import { ApiError } from './client.ts';

/**
 * The error to show instead of the data, or null. Data that was loaded stays visible during outages and after the session expired, which
 * the sidebar and a dialog report.
 */
export function failureOf({ error, data }: { error: unknown; data: unknown }): unknown {
  const transient = error instanceof ApiError && (error.status === 0 || error.status === 401 || error.status >= 500);
  return data !== undefined && transient ? null : error;
}
