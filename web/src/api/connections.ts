import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { ModelConnectionChange, ModelConnectionFields, ModelConnectionPage, ModelConnectionRecord } from './wire.ts';

/** The model connections of a project, oldest first. */
export function connectionsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['model-connections', projectId],
    queryFn: ({ signal }) => get<ModelConnectionPage>(endpoints.modelConnections(projectId, { limit: 200 }), signal),
  });
}

/** Creates, changes and deletes model connections. Requires `evaluations:manage`. */
export function useConnectionActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['model-connections', projectId] });
  return {
    create: useWrite({
      mutationFn: (fields: ModelConnectionFields) =>
        send<ModelConnectionRecord>('POST', endpoints.modelConnections(projectId), fields),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...fields }: ModelConnectionChange & { id: string }) =>
        send<ModelConnectionRecord>('PATCH', endpoints.modelConnection(projectId, id), fields),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) => send<void>('DELETE', endpoints.modelConnection(projectId, id)),
      onSuccess,
    }),
  };
}
