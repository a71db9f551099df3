import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { get, send } from './client.ts';
import { sessionKey } from './session.ts';
import { useWrite } from './use-write.ts';
import type { Member, MemberCreated, MemberPage, Project, Role } from './wire.ts';

/** The members of an organization, oldest first. */
export function membersQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['members', organizationId],
    queryFn: ({ signal }) => get<MemberPage>(endpoints.members(organizationId, { limit: 200 }), signal),
  });
}

/** Adds, changes and removes members. Requires `members:manage`. */
export function useMemberActions(organizationId: string) {
  const client = useQueryClient();
  // The viewer's own role may have changed.
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: ['members', organizationId] });
    await client.invalidateQueries({ queryKey: sessionKey });
  };
  return {
    add: useWrite({
      mutationFn: (member: { email: string; name: string; role: Role }) =>
        send<MemberCreated>('POST', endpoints.members(organizationId), member),
      onSuccess,
    }),
    changeRole: useWrite({
      mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
        send<Member>('PATCH', endpoints.member(organizationId, userId), { role }),
      onSuccess,
    }),
    remove: useWrite({
      mutationFn: (userId: string) => send<void>('DELETE', endpoints.member(organizationId, userId)),
      onSuccess,
    }),
  };
}

/** Renames an organization and creates projects in it. */
export function useOrganizationActions(organizationId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: sessionKey });
  return {
    rename: useWrite({
      mutationFn: (name: string) => send<unknown>('PATCH', endpoints.organization(organizationId), { name }),
      onSuccess,
    }),
    createProject: useWrite({
      mutationFn: (name: string) => send<Project>('POST', endpoints.projects(organizationId), { name }),
      onSuccess,
    }),
  };
}
