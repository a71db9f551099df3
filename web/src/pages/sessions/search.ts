import type { ListSessionsQuery } from '../../api/parts.ts';
import { rangeRequest, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';

/** The search parameters of the list of sessions. */
export interface SessionsSearch extends RangeSearch {
  q?: string | undefined;
  filter?: string | undefined;
  user?: string | undefined;
  environment?: string | undefined;
}

/** Parses the search parameters of a URL. */
export function readSessionsSearch(search: Record<string, unknown>): SessionsSearch {
  const read: SessionsSearch = readRange(search);
  for (const name of ['q', 'filter', 'user', 'environment'] as const) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') read[name] = value;
  }
  return read;
}

/** The request for the list. */
export function sessionsRequest(search: SessionsSearch, nowMs: number): Omit<ListSessionsQuery, 'cursor' | 'limit'> {
  const { q, filter, user, environment } = search;
  return {
    ...rangeRequest(search, nowMs),
    ...(q && { q }),
    ...(filter && { filter }),
    ...(user && { user }),
    ...(environment && { environment }),
  };
}
