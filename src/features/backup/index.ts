export { makeBackup } from './make-backup.ts';
export { BackupError, readWholeBackup } from './manifest.ts';
export type { Manifest } from './manifest.ts';
export { isEmptyDirectory, restoreBackup } from './restore-backup.ts';
export { serveBackups } from './serve-backups.ts';
