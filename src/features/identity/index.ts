export { bootstrap } from './bootstrap.ts';
export type { FirstStart } from './bootstrap.ts';
export { identityContext } from './identity-context.ts';
export { open } from './open.ts';
export type { IdentityFeature, IdentitySettings } from './open.ts';
export { setPlan } from './organizations.ts';
export { isOperatorOperation, operate } from './operator-operations.ts';
export type { OperatorOperation, OperatorOperations } from './operator-operations.ts';
export { createProject } from './projects.ts';
