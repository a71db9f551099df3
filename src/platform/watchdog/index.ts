export { startWatchdog } from './watchdog.ts';
export type { Watchdog } from './watchdog.ts';
