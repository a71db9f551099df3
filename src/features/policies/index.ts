export { applyFiles } from './apply/apply-files.ts';
export { open } from './open.ts';
export type { PoliciesFeature } from './open.ts';
export { planFiles } from './plan/plan-files.ts';
export { noteConnection } from './records/note-connection.ts';
