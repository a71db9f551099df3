import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';

export const sessionKey = ['session'] as const;

/** The current user with organizations, permissions and projects. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => get('/v1/auth/session', {}, signal),
  staleTime: 60_000,
  // Navigations read it again, not components that appear beside a form: a lost permission would replace the form with its text.
  refetchOnMount: false,
});

export interface Credentials {
  email: string;
  password: string;
}

/** Signs in and clears the cache. */
export function useSignIn() {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (credentials: Credentials) => send('POST', '/v1/auth/login', {}, credentials),
    onSuccess: () => client.clear(),
  });
}

/** Signs in again after the session has expired. Cached data and typed text stay unless another user signs in. */
export function useSignInAgain(userId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (credentials: Credentials) => send('POST', '/v1/auth/login', {}, credentials),
    onSuccess: async () => {
      const { user } = await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (user.id === userId) await client.invalidateQueries();
      else location.reload();
    },
  });
}

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/** Changes the user's own password, which ends their other sessions. */
export function useChangePassword() {
  return useWrite({ mutationFn: (change: PasswordChange) => send('POST', '/v1/me/password', {}, change) });
}

/** Asks for a mailed link that sets a new password. */
export function useForgotPassword() {
  return useWrite({ mutationFn: (email: string) => send('POST', '/v1/auth/forgot', {}, { email }) });
}

/** Sets a new password with a mailed link. */
export function useResetPassword() {
  return useWrite({
    mutationFn: (reset: { token: string; password: string }) => send('POST', '/v1/auth/reset', {}, reset),
  });
}

/** Signs out and clears the cache. */
export function useSignOut() {
  const client = useQueryClient();
  return useWrite({
    mutationFn: () => send('POST', '/v1/auth/logout', {}),
    onSuccess: () => client.clear(),
  });
}
