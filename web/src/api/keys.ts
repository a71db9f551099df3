import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { ApiKeyCreated, ApiKeyPage, RotatedKey, TokenCreated, TokenPage } from './wire.ts';

/** The API keys of a project. Requires `keys:manage`. */
export function apiKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: ['api-keys', projectId],
    queryFn: ({ signal }) => get<ApiKeyPage>(endpoints.apiKeys(projectId, { limit: 200 }), signal),
  });
}

/** Creates, rotates and revokes API keys. */
export function useKeyActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['api-keys', projectId] });
  return {
    create: useWrite({
      mutationFn: (name: string) => send<ApiKeyCreated>('POST', endpoints.apiKeys(projectId), { name }),
      onSuccess,
    }),
    rotate: useWrite({
      mutationFn: ({ id, graceSeconds }: { id: string; graceSeconds: number }) =>
        send<RotatedKey>('POST', endpoints.rotateApiKey(projectId, id), { graceSeconds }),
      onSuccess,
    }),
    revoke: useWrite({ mutationFn: (id: string) => send<void>('DELETE', endpoints.apiKey(projectId, id)), onSuccess }),
  };
}

const tokensKey = ['tokens'];

/** The viewer's own personal access tokens. */
export const tokensQuery = queryOptions({
  queryKey: tokensKey,
  queryFn: ({ signal }) => get<TokenPage>(endpoints.tokens({ limit: 200 }), signal),
});

/** Creates and deletes personal access tokens. */
export function useTokenActions() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: tokensKey });
  return {
    create: useWrite({ mutationFn: (name: string) => send<TokenCreated>('POST', endpoints.tokens(), { name }), onSuccess }),
    remove: useWrite({ mutationFn: (id: string) => send<void>('DELETE', endpoints.token(id)), onSuccess }),
  };
}
