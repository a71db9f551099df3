export { bootstrap } from './bootstrap.ts';
export type { FirstStart } from './bootstrap.ts';
export { identityContext } from './identity-context.ts';
export type { IdentityContext } from './identity-context.ts';
export { resetPassword } from './members.ts';
export { open } from './open.ts';
export type { IdentityFeature } from './open.ts';
export { setPlan } from './organizations.ts';
export { createProject } from './projects.ts';
