import { ApiError } from './client.ts';

/**
 * The error to show instead of the data, or null. Data that was loaded stays visible during outages, at rate limits and after the session
 * expired, which the sidebar and a dialog report.
 */
export function failureOf({ error, data }: { error: unknown; data: unknown }): unknown {
  const transient = error instanceof ApiError && (error.status === 0 || [401, 429].includes(error.status) || error.status >= 500);
  return data !== undefined && transient ? null : error;
}
