export { openWal } from './open-wal.ts';
export type { OpenedWal } from './wal.ts';
