import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { ChangeFields, ChangePage, ChangeRecord, Impact, ImpactQuery, ListChangesQuery } from './wire.ts';

/** The largest page of the service: the marks of a chart need one request. */
const pageSize = 200;

/** The changes of a time range, newest first, paginated. */
export function changesQuery(projectId: string, query: ListChangesQuery) {
  return infiniteQueryOptions({
    queryKey: ['changes', projectId, query],
    queryFn: ({ pageParam, signal }) =>
      get<ChangePage>(
        endpoints.changes(projectId, { ...query, limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 30_000,
  });
}

/** One change. */
export function changeQuery(projectId: string, changeId: string) {
  return queryOptions({
    queryKey: ['change', projectId, changeId],
    queryFn: ({ signal }) => get<ChangeRecord>(endpoints.change(projectId, changeId), signal),
  });
}

/** The figures before and after a change. */
export function impactQuery(projectId: string, changeId: string, query: ImpactQuery) {
  return queryOptions({
    queryKey: ['impact', projectId, changeId, query],
    queryFn: ({ signal }) => get<Impact>(endpoints.changeImpact(projectId, changeId, query), signal),
  });
}

/** Records a change. Requires `alerts:manage`. */
export function useRecordChange(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (fields: ChangeFields) => send<ChangeRecord>('POST', endpoints.changes(projectId), fields),
    onSuccess: () => client.invalidateQueries({ queryKey: ['changes', projectId] }),
  });
}
