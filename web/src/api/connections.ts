import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { ConnectionUse, ModelConnectionBody, ModelConnectionChange } from './service.ts';
import { largestLimit } from '../../../src/contract/limits.ts';

/** The model connections of a project, oldest first. */
export function connectionsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['model-connections', projectId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/model-connections', { id: projectId, limit: largestLimit }, signal),
  });
}

/** Creates, changes and deletes model connections. Requires `connections:manage`. */
export function useConnectionActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['model-connections', projectId] });
  return {
    create: useWrite({
      mutationFn: (fields: ModelConnectionBody) => send('POST', '/v1/projects/{id}/model-connections', { id: projectId }, fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: ModelConnectionChange & { id: string }) =>
        send('PATCH', '/v1/projects/{id}/model-connections/{connectionId}', { id: projectId, connectionId: id }, fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) =>
        send('DELETE', '/v1/projects/{id}/model-connections/{connectionId}', { id: projectId, connectionId: id }),
      onSuccess,
    }),
  };
}

/** What keeps a connection from being deleted or renamed, if that is what an error says; null otherwise. */
export function usesOf(error: unknown): readonly ConnectionUse[] | null {
  if (!(error instanceof ApiError) || error.code !== 'connection_in_use') return null;
  return (error.body['usedBy'] ?? []) as ConnectionUse[];
}
