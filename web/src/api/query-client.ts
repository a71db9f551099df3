import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isDown } from './client.ts';
import { ingestHealthKey } from './ingest-health.ts';
import { sessionKey } from './session.ts';

/** Reacts to a failed request: detects an expired session and an unreachable service. */
function onError(client: () => QueryClient, signedOut: () => void): (error: unknown, kind: 'read' | 'write') => void {
  return (error, kind) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401) signedOut();
    // Refresh the connection status in the sidebar.
    else if (error.status === 0) void client().invalidateQueries({ queryKey: ingestHealthKey });
    // The role, or the membership, may have changed. After a write it is read with the next navigation: the form on the page keeps its text.
    else if (error.status === 403)
      void client().invalidateQueries({ queryKey: sessionKey, refetchType: kind === 'read' ? 'active' : 'none' });
  };
}

/**
 * The cache of all responses.
 *
 * @param signedOut called when a response says that the session has ended
 */
export function createQueryClient(signedOut: () => void): QueryClient {
  const handle = onError(() => client, signedOut);
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: (_data, query) => {
        // The service is back: load what failed meanwhile.
        if (query.queryKey[0] !== ingestHealthKey[0]) return;
        void client.refetchQueries({ type: 'active', predicate: ({ state }) => isDown(state.error) });
      },
      onError: (error, query) => {
        if (query.queryKey[0] === ingestHealthKey[0] && isDown(error)) return;
        if (query.queryKey[0] !== sessionKey[0] || (error instanceof ApiError && error.status === 401)) handle(error, 'read');
      },
    }),
    mutationCache: new MutationCache({ onError: (error) => handle(error, 'write') }),
    defaultOptions: {
      // A local service is reachable while the browser is offline.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 15_000,
        gcTime: 5 * 60_000,
        // The frame refreshes what may change (`useRefreshOnReturn`): a form and the session stay.
        refetchOnWindowFocus: false,
        // Retry only requests that did not reach the service or were answered with 503.
        retry: (failures, error) => failures < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
      },
    },
  });
  return client;
}
