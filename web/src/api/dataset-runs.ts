import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { DatasetRunDetail, DatasetRunPage, RunComparison } from './wire.ts';

const pageSize = 100;
/** Smaller than usual: run items include their outputs. */
const runItemsPageSize = 200;

/** The runs of a dataset with their aggregates, newest first. */
export function datasetRunsQuery(projectId: string, datasetId: string) {
  return infiniteQueryOptions({
    queryKey: ['dataset-runs', projectId, datasetId, 'list'],
    queryFn: ({ pageParam, signal }) =>
      get<DatasetRunPage>(
        endpoints.datasetRuns(projectId, datasetId, { limit: pageSize, cursor: pageParam || undefined }),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One run with its aggregates and paginated items. */
export function datasetRunQuery(projectId: string, datasetId: string, runId: string) {
  return infiniteQueryOptions({
    queryKey: ['dataset-runs', projectId, datasetId, 'one', runId],
    queryFn: ({ pageParam, signal }) =>
      get<DatasetRunDetail>(
        endpoints.datasetRun(projectId, datasetId, runId, { limit: runItemsPageSize, cursor: pageParam || undefined }),
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** The comparison of two runs. */
export function compareRunsQuery(projectId: string, datasetId: string, a: string, b: string) {
  return queryOptions({
    queryKey: ['dataset-runs', projectId, datasetId, 'compare', a, b],
    queryFn: ({ signal }) => get<RunComparison>(endpoints.compareRuns(projectId, datasetId, a, b), signal),
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** Deletes a run. Requires `datasets:manage`. */
export function useDeleteRun(projectId: string, datasetId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (runId: string) => send<void>('DELETE', endpoints.datasetRun(projectId, datasetId, runId)),
    onSuccess: (_, runId) => {
      client.removeQueries({ queryKey: ['dataset-runs', projectId, datasetId, 'one', runId] });
      return client.invalidateQueries({ queryKey: ['dataset-runs', projectId, datasetId, 'list'] });
    },
  });
}
