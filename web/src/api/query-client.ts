import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isUnreachable } from './client.ts';
import { ingestHealthKey } from './ingest-health.ts';
import { sessionKey } from './session.ts';

/** What a failed request means for who is signed in. */
function onError(client: () => QueryClient, signedOut: () => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401) signedOut();
    // The sidebar tells whether the service answers: it is to notice at once.
    else if (error.status === 0) void client().invalidateQueries({ queryKey: ingestHealthKey });
    // Session-only routes answer 403 to nobody as well: whether there is a session is asked again.
    else if (error.status === 403) void client().invalidateQueries({ queryKey: sessionKey });
  };
}

/**
 * The cache of everything read from the service.
 *
 * @param signedOut called when an answer says that there is no session any more
 */
export function createQueryClient(signedOut: () => void): QueryClient {
  const told = onError(() => client, signedOut);
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.queryKey[0] === ingestHealthKey[0] && isUnreachable(error)) return;
        if (query.queryKey[0] !== sessionKey[0] || (error instanceof ApiError && error.status === 401)) told(error);
      },
    }),
    mutationCache: new MutationCache({ onError: told }),
    defaultOptions: {
      // A service on this machine answers without a network, and one that does not is told of by its own failure.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 15_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        // What the service refuses stays refused; what did not reach it is worth another try.
        retry: (failures, error) => failures < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
      },
    },
  });
  return client;
}
