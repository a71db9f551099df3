export { openLog } from './open-log.ts';
