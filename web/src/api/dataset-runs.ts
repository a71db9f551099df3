import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';

const pageSize = 100;
/** Smaller than usual: run items include their outputs. */
const runItemsPageSize = 200;

/** The runs of a dataset with their aggregates, newest first. */
export function datasetRunsQuery(projectId: string, datasetId: string) {
  return infiniteQueryOptions({
    queryKey: ['dataset-runs', projectId, datasetId, 'list'],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/datasets/{datasetId}/runs', { datasetId, projectId, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One run with its aggregates and paginated items. */
export function datasetRunQuery(projectId: string, datasetId: string, runId: string) {
  return infiniteQueryOptions({
    queryKey: ['dataset-runs', projectId, datasetId, 'one', runId],
    queryFn: ({ pageParam, signal }) =>
      get(
        '/v1/datasets/{datasetId}/runs/{runId}',
        { datasetId, runId, projectId, limit: runItemsPageSize, cursor: pageParam || undefined },
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
    queryFn: ({ signal }) => get('/v1/datasets/{datasetId}/runs/compare', { datasetId, projectId, runs: `${a},${b}` }, signal),
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** Deletes a run. Requires `datasets:manage`. */
export function useDeleteRun(projectId: string, datasetId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (runId: string) => send('DELETE', '/v1/datasets/{datasetId}/runs/{runId}', { datasetId, runId, projectId }),
    onSuccess: (_, runId) => {
      client.removeQueries({ queryKey: ['dataset-runs', projectId, datasetId, 'one', runId] });
      return client.invalidateQueries({ queryKey: ['dataset-runs', projectId, datasetId, 'list'] });
    },
  });
}
