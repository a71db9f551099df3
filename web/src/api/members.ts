import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { sessionKey } from './session.ts';
import { useWrite } from './use-write.ts';
import type { Role } from './parts.ts';
import { largestLimit } from '../../../src/contract/limits.ts';

/** The members of an organization, oldest first. */
export function membersQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['members', organizationId],
    queryFn: ({ signal }) => get('/v1/organizations/{orgId}/members', { orgId: organizationId, limit: largestLimit }, signal),
  });
}

/** Changes and removes members, and ends their sessions and tokens. Requires `members:manage`. */
export function useMemberActions(organizationId: string) {
  const client = useQueryClient();
  // The viewer's own role may have changed.
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: ['members', organizationId] });
    await client.invalidateQueries({ queryKey: sessionKey });
  };
  return {
    changeRole: useWrite({
      mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
        send('PATCH', '/v1/organizations/{orgId}/members/{userId}', { orgId: organizationId, userId }, { role }),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (userId: string) =>
        send('DELETE', '/v1/organizations/{orgId}/members/{userId}', { orgId: organizationId, userId }),
      onSuccess,
    }),
    revoke: useWrite({
      mutationFn: (userId: string) =>
        send('POST', '/v1/organizations/{orgId}/members/{userId}/revoke', { orgId: organizationId, userId }),
      onSuccess,
    }),
  };
}

/** Renames an organization, switches its shared links and creates projects in it. */
export function useOrganizationActions(organizationId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: sessionKey });
  return {
    rename: useWrite({
      mutationFn: (name: string) => send('PATCH', '/v1/organizations/{orgId}', { orgId: organizationId }, { name }),
      onSuccess,
    }),
    setSharedLinks: useWrite({
      mutationFn: (sharedLinks: boolean) =>
        send('PATCH', '/v1/organizations/{orgId}', { orgId: organizationId }, { sharedLinks }),
      onSuccess,
    }),
    createProject: useWrite({
      mutationFn: (name: string) => send('POST', '/v1/organizations/{orgId}/projects', { orgId: organizationId }, { name }),
      onSuccess,
    }),
  };
}

/** Leaves an organization. Clears the cache, which may hold its data. */
export function useLeave(organizationId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (userId: string) =>
      send('DELETE', '/v1/organizations/{orgId}/members/{userId}', { orgId: organizationId, userId }),
    onSuccess: () => client.clear(),
  });
}

/** Creates an organization, whose owner the viewer is, with a first project: without one there is no page to show. */
export function useCreateOrganization() {
  const client = useQueryClient();
  return useWrite({
    mutationFn: async (name: string) => {
      const organization = await send('POST', '/v1/organizations', {}, { name });
      const project = await send('POST', '/v1/organizations/{orgId}/projects', { orgId: organization.id }, { name: 'Default' });
      return { ...organization, project };
    },
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  });
}
