import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { Role } from './parts.ts';
import type { AcceptanceBody, CurrentSession, InvitationSeen } from './service.ts';
import { largestLimit } from '../../../src/contract/limits.ts';

/** The invitations of an organization that wait, oldest first. Requires `members:manage`. */
export function invitationsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['invitations', organizationId],
    queryFn: ({ signal }) => get('/v1/organizations/{orgId}/invitations', { orgId: organizationId, limit: largestLimit }, signal),
  });
}

/** Invites people and deletes invitations. Requires `members:manage`. */
export function useInvitationActions(organizationId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['invitations', organizationId] });
  return {
    invite: useWrite({
      mutationFn: (person: { email: string; role: Role }) =>
        send('POST', '/v1/organizations/{orgId}/invitations', { orgId: organizationId }, person),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (id: string) =>
        send('DELETE', '/v1/organizations/{orgId}/invitations/{invitationId}', { orgId: organizationId, invitationId: id }),
      onSuccess,
    }),
  };
}

/** What a link is for, and who is signed in. */
export interface OpenedInvitation {
  invitation: InvitationSeen;
  user: CurrentSession['user'] | null;
}

/** The invitation of a link, and who is signed in; fails with 404 for a link that is not valid. */
export function openedInvitationQuery(token: string) {
  return queryOptions({
    queryKey: ['opened-invitation', token],
    queryFn: async ({ signal }): Promise<OpenedInvitation> => {
      const [invitation, user] = await Promise.all([
        send('POST', '/v1/invitations/look-up', {}, { token }, signal),
        signedIn(signal),
      ]);
      return { invitation, user };
    },
  });
}

async function signedIn(signal: AbortSignal): Promise<CurrentSession['user'] | null> {
  try {
    return (await get('/v1/auth/session', {}, signal)).user;
  } catch (error) {
    // Nobody: the page offers to sign in.
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Accepts an invitation and clears the cache: another person may be signed in then. */
export function useAcceptInvitation() {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (acceptance: AcceptanceBody) => send('POST', '/v1/invitations/accept', {}, acceptance),
    onSuccess: () => client.clear(),
  });
}
