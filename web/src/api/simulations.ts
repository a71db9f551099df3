import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { BatchItemChange, BatchItemStatus } from './parts.ts';
import type { BatchRun, BatchRunBody, GateBody, ScenarioBody, ScenarioChange, TryBody } from './service.ts';
import { largestLimit } from '../../../src/contract/limits.ts';

const scenariosKey = 'simulation-scenarios';
const scenarioKey = 'simulation-scenario';
const runsKey = 'batch-runs';
const runKey = 'batch-run';
const itemsKey = 'batch-items';
const pollMs = 2_000;

/** Whether figures of a run still change. */
export function isActive({ status }: Pick<BatchRun, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** The scenarios of a project, oldest first, paginated; asked for again while a newest run is active. @param filter `q`: in the name */
export function scenariosQuery(projectId: string, { q }: { q?: string } = {}) {
  return infiniteQueryOptions({
    queryKey: [scenariosKey, projectId, ...(q === undefined ? [] : [q])],
    queryFn: ({ pageParam, signal }) =>
      get(
        '/v1/projects/{id}/simulations/scenarios',
        { id: projectId, q, limit: largestLimit, cursor: pageParam || undefined },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ scenarios }) => scenarios.some(({ newestRun }) => newestRun !== null && isActive(newestRun))) ===
      true
        ? pollMs
        : false,
  });
}

/** One scenario. */
export function scenarioQuery(projectId: string, scenarioId: string) {
  return queryOptions({
    queryKey: [scenarioKey, projectId, scenarioId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/simulations/scenarios/{scenarioId}', { id: projectId, scenarioId }, signal),
  });
}

/** Which batch runs are listed. */
export interface BatchRunsFilter {
  scenarioId?: string | undefined;
  datasetId?: string | undefined;
  status?: BatchRun['status'] | undefined;
  /** In the label or the scenario's name. */
  q?: string | undefined;
}

/** The batch runs of a project, newest first, paginated; asked for again while one of the loaded runs is active. */
export function batchRunsQuery(projectId: string, filter: BatchRunsFilter = {}) {
  return infiniteQueryOptions({
    queryKey: [runsKey, projectId, filter],
    queryFn: ({ pageParam, signal }) =>
      get(
        '/v1/projects/{id}/simulations/batch-runs',
        { id: projectId, ...filter, limit: largestLimit, cursor: pageParam || undefined },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ batchRuns }) => batchRuns.some(isActive)) === true ? pollMs : false,
  });
}

/** One batch run; asked for again while it is active. */
export function batchRunQuery(projectId: string, batchRunId: string) {
  return queryOptions({
    queryKey: [runKey, projectId, batchRunId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/simulations/batch-runs/{batchRunId}', { id: projectId, batchRunId }, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isActive(state.data.batchRun) ? pollMs : false),
  });
}

/** Which items of a batch run are read. */
export interface BatchItemsFilter {
  status?: BatchItemStatus | undefined;
  /** The batch run that they are compared with. */
  baseline?: string | undefined;
  change?: BatchItemChange | undefined;
}

/** The items of a batch run in the order of the dataset, paginated. Outputs can be large: few a page, and no structural sharing. */
export function batchItemsQuery(projectId: string, batchRunId: string, { status, baseline, change }: BatchItemsFilter) {
  const filter = { status, baseline, change: baseline === undefined ? undefined : change };
  return infiniteQueryOptions({
    queryKey: [itemsKey, projectId, batchRunId, filter],
    queryFn: ({ pageParam, signal }) =>
      get(
        '/v1/projects/{id}/simulations/batch-runs/{batchRunId}/items',
        { id: projectId, batchRunId, ...filter, limit: 100, cursor: pageParam || undefined },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    structuralSharing: false,
    gcTime: 60_000,
  });
}

/** Latency and cost over the items of a batch run, beside those of a baseline. */
export function batchDistributionsQuery(projectId: string, batchRunId: string, baseline: string | undefined) {
  return queryOptions({
    queryKey: [itemsKey, projectId, batchRunId, 'distributions', baseline ?? 'none'],
    queryFn: ({ signal }) =>
      get(
        '/v1/projects/{id}/simulations/batch-runs/{batchRunId}/distributions',
        { id: projectId, batchRunId, ...(baseline === undefined ? {} : { baseline }) },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
}

/** Sends one item to a target that need not be saved. Requires `simulations:manage`. */
export function useTryItem(projectId: string) {
  return useWrite({
    mutationFn: (fields: TryBody) => send('POST', '/v1/projects/{id}/simulations/try', { id: projectId }, fields),
  });
}

/** Creates, changes and deletes scenarios. Requires `simulations:manage`. */
export function useScenarioActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: [scenariosKey, projectId] });
    await client.invalidateQueries({ queryKey: [scenarioKey, projectId] });
  };
  return {
    create: useWrite({
      mutationFn: (fields: ScenarioBody) => send('POST', '/v1/projects/{id}/simulations/scenarios', { id: projectId }, fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: ScenarioChange & { id: string }) =>
        send('PATCH', '/v1/projects/{id}/simulations/scenarios/{scenarioId}', { id: projectId, scenarioId: id }, fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) =>
        send('DELETE', '/v1/projects/{id}/simulations/scenarios/{scenarioId}', { id: projectId, scenarioId: id }),
      // The page of the deleted scenario would show that it is not found, before it leads to the list.
      onSuccess: async () => {
        await client.invalidateQueries({ queryKey: [scenariosKey, projectId] });
        await client.invalidateQueries({ queryKey: [runsKey, projectId] });
      },
    }),
  };
}

/** Starts and cancels batch runs. Requires `simulations:manage`. */
export function useBatchRunActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = async () => {
    for (const key of [runsKey, runKey, itemsKey, scenariosKey]) await client.invalidateQueries({ queryKey: [key, projectId] });
  };
  return {
    start: useWrite({
      mutationFn: (fields: BatchRunBody) => send('POST', '/v1/projects/{id}/simulations/batch-runs', { id: projectId }, fields),
      onSuccess,
    }),
    cancel: useWrite({
      mutationFn: (id: string) =>
        send('POST', '/v1/projects/{id}/simulations/batch-runs/{batchRunId}/cancel', { id: projectId, batchRunId: id }),
      onSuccess,
    }),
  };
}

/** Compares a batch run with a baseline. Requires `simulations:manage`. */
export function useGate(projectId: string, batchRunId: string) {
  return useWrite({
    mutationFn: (fields: GateBody) =>
      send('POST', '/v1/projects/{id}/simulations/batch-runs/{batchRunId}/gate', { id: projectId, batchRunId }, fields),
  });
}

/** Has the items of a batch run read again. */
export function invalidateItems(client: QueryClient, projectId: string, batchRunId: string): Promise<void> {
  return client.invalidateQueries({ queryKey: [itemsKey, projectId, batchRunId] });
}
