import type { Role } from '../../api/wire.ts';

const roles: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

/** What each role may do, in short. */
export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'everything',
  admin: 'everything but the organization itself and its owners',
  member: 'reads all, and writes prompts, datasets, evaluations and alerts',
  viewer: 'reads all',
};

/** The roles that somebody may give: the owner's only an owner. */
export function grantableRoles(own: Role): readonly Role[] {
  return own === 'owner' ? roles : roles.filter((role) => role !== 'owner');
}

export function roleOptions(given: readonly Role[]): ReadonlyArray<{ value: Role; label: string }> {
  return given.map((value) => ({ value, label: value }));
}
