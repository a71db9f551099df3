import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, read, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { EvaluationsQuery, EvaluatorTypeDoc } from './parts.ts';
import type { EvaluatorBody } from './service.ts';
import { largestLimit } from '../../../src/contract/limits.ts';

const pageSize = 100;
const pollMs = 3_000;

/** The evaluators of a project, at most 100. */
export function evaluatorsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['evaluators', projectId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/evaluators', { id: projectId, limit: largestLimit }, signal),
  });
}

/** One evaluator by id or slug. */
export function evaluatorQuery(projectId: string, evaluatorId: string) {
  return queryOptions({
    queryKey: ['evaluator', projectId, evaluatorId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/evaluators/{evaluatorId}', { id: projectId, evaluatorId }, signal),
  });
}

interface OpenApi {
  components: { schemas: { EvaluatorBody?: { properties: { config?: { 'x-evaluator-types'?: EvaluatorTypeDoc[] } } } } };
}

/** The evaluator types of the service with their descriptions, from its OpenAPI document. */
export const evaluatorTypesQuery = queryOptions({
  queryKey: ['evaluator-types'],
  queryFn: async ({ signal }) => {
    const { components } = await read<OpenApi>('/v1/openapi.json', signal);
    return components.schemas.EvaluatorBody?.properties.config?.['x-evaluator-types'] ?? [];
  },
  staleTime: Infinity,
});

/** Creates, changes and deletes evaluators. Requires `evaluations:manage`. */
export function useEvaluatorActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: ['evaluators', projectId] });
    await client.invalidateQueries({ queryKey: ['evaluator', projectId] });
  };
  return {
    create: useWrite({
      mutationFn: (fields: EvaluatorBody) => send('POST', '/v1/projects/{id}/evaluators', { id: projectId }, fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: Partial<EvaluatorBody> & { id: string }) =>
        send('PATCH', '/v1/projects/{id}/evaluators/{evaluatorId}', { id: projectId, evaluatorId: id }, fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) =>
        send('DELETE', '/v1/projects/{id}/evaluators/{evaluatorId}', { id: projectId, evaluatorId: id }),
      onSuccess: () => client.invalidateQueries({ queryKey: ['evaluators', projectId] }),
    }),
  };
}

/** Evaluations, newest first, paginated. */
export function evaluationsQuery(projectId: string, query: EvaluationsQuery) {
  return infiniteQueryOptions({
    queryKey: ['evaluations', projectId, query],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/projects/{id}/evaluations', { id: projectId, ...query, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // Poll the first page while the queue is not empty.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && (data.pages[0]?.queue.waiting ?? 0) > 0 ? pollMs : false,
  });
}

/** The latest 100 evaluations of one evaluator. `live` polls for new ones. */
export function latestEvaluationsQuery(projectId: string, evaluator: string, live = false) {
  return queryOptions({
    queryKey: ['evaluations', projectId, 'latest', evaluator],
    queryFn: ({ signal }) => get('/v1/projects/{id}/evaluations', { id: projectId, evaluator, limit: pageSize }, signal),
    staleTime: 30_000,
    ...(live ? { refetchInterval: pollMs } : {}),
  });
}
