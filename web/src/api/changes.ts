import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { ImpactQuery, ListChangesQuery } from './parts.ts';
import type { ChangeBody } from './service.ts';

/** The largest page of the service: the marks of a chart need one request. */
const pageSize = 200;

/** The changes of a time range, newest first, paginated. */
export function changesQuery(projectId: string, query: ListChangesQuery) {
  return infiniteQueryOptions({
    queryKey: ['changes', projectId, query],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/projects/{id}/changes', { id: projectId, ...query, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 30_000,
  });
}

/** One change. */
export function changeQuery(projectId: string, changeId: string) {
  return queryOptions({
    queryKey: ['change', projectId, changeId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/changes/{changeId}', { id: projectId, changeId }, signal),
  });
}

/** The figures before and after a change. */
export function impactQuery(projectId: string, changeId: string, query: ImpactQuery) {
  return queryOptions({
    queryKey: ['impact', projectId, changeId, query],
    queryFn: ({ signal }) => get('/v1/projects/{id}/changes/{changeId}/impact', { id: projectId, changeId, ...query }, signal),
  });
}

/** Records a change. Requires `alerts:manage`. */
export function useRecordChange(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (fields: ChangeBody) => send('POST', '/v1/projects/{id}/changes', { id: projectId }, fields),
    onSuccess: () => client.invalidateQueries({ queryKey: ['changes', projectId] }),
  });
}
