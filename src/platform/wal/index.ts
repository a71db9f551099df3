export { readLogInstallation, writeLogInstallation } from './log-installation.ts';
export { openWal } from './open-wal.ts';
export type { OpenedWal } from './wal.ts';
