export { askService } from './ask-service.ts';
export { makeBackup } from './make-backup.ts';
export { BackupError, readWholeBackup } from './manifest.ts';
export type { Manifest } from './manifest.ts';
export { open } from './open.ts';
export { isEmptyDirectory, restoreBackup } from './restore-backup.ts';
