import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, get, send } from './client.ts';
import { invalidatePolicies } from './policy-ownership.ts';
import { useWrite } from './use-write.ts';
import type { EnvironmentAttachments, EnvironmentBody } from './service.ts';

const pageSize = 200;

/** The environments of a project, paginated. Each page has the unregistered names. */
export function environmentsQuery(projectId: string) {
  return infiniteQueryOptions({
    queryKey: ['environments', projectId],
    queryFn: ({ pageParam, signal }) =>
      get('/v1/projects/{id}/environments', { id: projectId, limit: pageSize, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Creates, changes and deletes environments. Requires `environments:manage`. */
export function useEnvironmentActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => invalidatePolicies(client);
  return {
    create: useWrite({
      mutationFn: (fields: EnvironmentBody) => send('POST', '/v1/projects/{id}/environments', { id: projectId }, fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: { id: string; description: string }) =>
        send('PATCH', '/v1/projects/{id}/environments/{environmentId}', { id: projectId, environmentId: id }, fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) =>
        send('DELETE', '/v1/projects/{id}/environments/{environmentId}', { id: projectId, environmentId: id }),
      onSuccess,
    }),
  };
}

/** What keeps an environment from being deleted, if that is what an error says; null otherwise. */
export function blockersOf(error: unknown): EnvironmentAttachments | null {
  if (!(error instanceof ApiError) || error.code !== 'environment_in_use') return null;
  const attached = (error.body['attached'] ?? {}) as Partial<EnvironmentAttachments>;
  return { guardrails: attached.guardrails ?? [], alerts: attached.alerts ?? [], incidents: attached.incidents ?? [] };
}
