import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import type { FacetsQuery, ListSpansQuery, SpanCountsQuery } from './parts.ts';

const pageSize = 100;

/** The spans of a project, paginated. `live` polls for new ones. */
export function listedSpansQuery(projectId: string, query: ListSpansQuery, live = false) {
  return infiniteQueryOptions({
    queryKey: ['spans', projectId, query, live],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/projects/{id}/spans', { id: projectId, ...query, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    ...(live ? { refetchInterval: 2_000, staleTime: 0 } : {}),
  });
}

/** The number of spans over time, with the calls among them. `live` polls. */
export function spanCountsQuery(projectId: string, query: SpanCountsQuery, live = false) {
  return queryOptions({
    queryKey: ['span-counts', projectId, query, live],
    queryFn: ({ signal }) => get('/v1/projects/{id}/span-counts', { id: projectId, ...query }, signal),
    ...(live ? { refetchInterval: 10_000, staleTime: 0 } : {}),
  });
}

/** The values of fields with their counts, among what a filter matches without the terms of the field itself. */
export function facetsQuery(projectId: string, query: FacetsQuery & Required<Pick<FacetsQuery, 'on' | 'field'>>) {
  return queryOptions({
    queryKey: ['facets', projectId, query],
    queryFn: ({ signal }) => get('/v1/projects/{id}/facets', { id: projectId, ...query }, signal),
    staleTime: 60_000,
  });
}
