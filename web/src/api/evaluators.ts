import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type {
  EvaluationPage,
  EvaluationsQuery,
  EvaluatorFields,
  EvaluatorPage,
  EvaluatorRecord,
  EvaluatorTypeDoc,
} from './wire.ts';

const pageSize = 100;
const pollMs = 3_000;

/** The evaluators of a project, at most 100. */
export function evaluatorsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['evaluators', projectId],
    queryFn: ({ signal }) => get<EvaluatorPage>(endpoints.evaluators(projectId, { limit: 200 }), signal),
  });
}

/** One evaluator by id or slug. */
export function evaluatorQuery(projectId: string, evaluatorId: string) {
  return queryOptions({
    queryKey: ['evaluator', projectId, evaluatorId],
    queryFn: ({ signal }) => get<EvaluatorRecord>(endpoints.evaluator(projectId, evaluatorId), signal),
  });
}

interface OpenApi {
  paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema?: BodySchema }> } } }>;
}

interface BodySchema {
  properties?: { config?: { 'x-evaluator-types'?: EvaluatorTypeDoc[] } };
}

const evaluatorsPath = '/v1/projects/{id}/evaluators';

/** The evaluator types of the service with their descriptions, from its OpenAPI document. */
export const evaluatorTypesQuery = queryOptions({
  queryKey: ['evaluator-types'],
  queryFn: async ({ signal }) => {
    const { paths } = await get<OpenApi>(endpoints.openApi(), signal);
    const body = paths[evaluatorsPath]?.post?.requestBody?.content['application/json']?.schema;
    return body?.properties?.config?.['x-evaluator-types'] ?? [];
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
      mutationFn: (fields: EvaluatorFields) => send<EvaluatorRecord>('POST', endpoints.evaluators(projectId), fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: Partial<EvaluatorFields> & { id: string }) =>
        send<EvaluatorRecord>('PATCH', endpoints.evaluator(projectId, id), fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) => send<void>('DELETE', endpoints.evaluator(projectId, id)),
      onSuccess: () => client.invalidateQueries({ queryKey: ['evaluators', projectId] }),
    }),
  };
}

/** Evaluations, newest first, paginated. */
export function evaluationsQuery(projectId: string, query: EvaluationsQuery) {
  return infiniteQueryOptions({
    queryKey: ['evaluations', projectId, query],
    queryFn: ({ pageParam, signal }) =>
      get<EvaluationPage>(
        endpoints.evaluations(projectId, { ...query, limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
        signal,
      ),
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
    queryFn: ({ signal }) => get<EvaluationPage>(endpoints.evaluations(projectId, { evaluator, limit: pageSize }), signal),
    staleTime: 30_000,
    ...(live ? { refetchInterval: pollMs } : {}),
  });
}
