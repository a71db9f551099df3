import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { CurrentSession } from './wire.ts';

export const sessionKey = ['session'] as const;

/** Who is signed in, with their organisations, permissions and projects. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => get<CurrentSession>(endpoints.session(), signal),
  staleTime: 60_000,
});

export interface Credentials {
  email: string;
  password: string;
}

/** Signs in; everything that was read before is forgotten. */
export function useSignIn() {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (credentials: Credentials) => send<unknown>('POST', endpoints.login(), credentials),
    onSuccess: () => client.clear(),
  });
}

/** Signs in once more where a session has ended; what was read and typed stays, unless somebody else signs in. */
export function useSignInAgain(userId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (credentials: Credentials) => send<unknown>('POST', endpoints.login(), credentials),
    onSuccess: async () => {
      const { user } = await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (user.id === userId) await client.invalidateQueries();
      else location.reload();
    },
  });
}

/** Signs out, and forgets everything that was read. */
export function useSignOut() {
  const client = useQueryClient();
  return useWrite({
    mutationFn: () => send<void>('POST', endpoints.logout()),
    onSuccess: () => client.clear(),
  });
}
