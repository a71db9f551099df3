import type { Role } from '../../api/parts.ts';
import { roles } from '../../../../src/contract/permissions.ts';

/** A summary of each role's permissions. */
export const roleHints: Readonly<Record<Role, string>> = {
  owner: 'Full access',
  admin: 'Full access except organization settings and owners',
  member:
    'Can view everything except API keys and the audit log, and edit prompts, datasets, evaluations, alerts and simulations',
  viewer: 'Can view everything except API keys, compliance and the audit log',
};

/** The roles that a role may grant. Only owners grant the owner role. */
export function grantableRoles(own: Role): readonly Role[] {
  return own === 'owner' ? roles : roles.filter((role) => role !== 'owner');
}

export function roleOptions(given: readonly Role[]): ReadonlyArray<{ value: Role; label: string }> {
  return given.map((value) => ({ value, label: value }));
}
