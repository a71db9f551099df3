import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import type { CurrentSession } from './wire.ts';

export const sessionKey = ['session'] as const;

/** Who is signed in, with their organisations, permissions and projects. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => get<CurrentSession>(endpoints.session(), signal),
  staleTime: 60_000,
});

/** Signs in; everything that was read before is forgotten. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (credentials: { email: string; password: string }) => send<unknown>('POST', endpoints.login(), credentials),
    onSuccess: () => client.clear(),
  });
}

/** Signs out, and forgets everything that was read. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send<void>('POST', endpoints.logout()),
    onSuccess: () => client.clear(),
  });
}
