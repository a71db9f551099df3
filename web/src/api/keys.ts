import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import type { ApiKeyBody, ApiKeyChange } from './service.ts';
import { useWrite } from './use-write.ts';
import { largestLimit } from '../../../src/contract/limits.ts';

/** The API keys of a project. Requires `keys:manage`. */
export function apiKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: ['api-keys', projectId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/api-keys', { id: projectId, limit: largestLimit }, signal),
  });
}

/** Creates, changes, rotates and revokes API keys. */
export function useKeyActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['api-keys', projectId] });
  return {
    create: useWrite({
      mutationFn: (key: ApiKeyBody) => send('POST', '/v1/projects/{id}/api-keys', { id: projectId }, key),
      onSuccess,
    }),
    change: useWrite({
      mutationFn: ({ id, ...change }: ApiKeyChange & { id: string }) =>
        send('PATCH', '/v1/projects/{id}/api-keys/{keyId}', { id: projectId, keyId: id }, change),
      onSuccess,
    }),
    rotate: useWrite({
      mutationFn: ({ id, graceSeconds }: { id: string; graceSeconds: number }) =>
        send('POST', '/v1/projects/{id}/api-keys/{keyId}/rotate', { id: projectId, keyId: id }, { graceSeconds }),
      onSuccess,
    }),
    revoke: useWrite({
      mutationFn: (id: string) => send('DELETE', '/v1/projects/{id}/api-keys/{keyId}', { id: projectId, keyId: id }),
      onSuccess,
    }),
  };
}

const tokensKey = ['tokens'];

/** The viewer's own personal access tokens. */
export const tokensQuery = queryOptions({
  queryKey: tokensKey,
  queryFn: ({ signal }) => get('/v1/me/tokens', { limit: largestLimit }, signal),
});

/** Creates and deletes personal access tokens. */
export function useTokenActions() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: tokensKey });
  return {
    create: useWrite({
      mutationFn: (token: { name: string; expiresAt?: string }) => send('POST', '/v1/me/tokens', {}, token),
      onSuccess,
    }),
    remove: useWrite({ mutationFn: (id: string) => send('DELETE', '/v1/me/tokens/{tokenId}', { tokenId: id }), onSuccess }),
  };
}
