export { open } from './open.ts';
