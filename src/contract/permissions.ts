/** The four roles of a membership, strongest first (docs/semantics.md, "Roles and permissions"). */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

const everyone: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];
const writers: readonly Role[] = ['owner', 'admin', 'member'];
const administrators: readonly Role[] = ['owner', 'admin'];

/** Which roles hold which permission (docs/semantics.md, "Roles and permissions"). */
export const permissionRoles = {
  'dashboard:read': everyone,
  'policy:read': everyone,
  'prompts:manage': writers,
  'datasets:manage': writers,
  'evaluations:manage': writers,
  'alerts:manage': writers,
  'simulations:manage': writers,
  'views:manage': writers,
  'dashboards:manage': writers,
  'comments:write': writers,
  'shares:manage': writers,
  'issues:manage': writers,
  'compliance:read': writers,
  'guardrails:manage': administrators,
  'environments:manage': administrators,
  'incidents:manage': administrators,
  'compliance:generate': administrators,
  'policy:apply': administrators,
  'keys:manage': administrators,
  'members:manage': administrators,
  'audit:read': administrators,
  'traces:delete': administrators,
  'connections:manage': administrators,
  'exports:manage': administrators,
  'organization:manage': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissionRoles;
export const permissions = Object.keys(permissionRoles) as Permission[];

/** Whether `role` holds `permission`. */
export function roleHas(role: Role, permission: Permission): boolean {
  return (permissionRoles[permission] as readonly Role[]).includes(role);
}

/** Every permission of a role, in the order of the table. */
export function permissionsOf(role: Role): Permission[] {
  return permissions.filter((permission) => roleHas(role, permission));
}
