export { open } from './open.ts';
export type { UserDataPorts } from './open.ts';
