export { DataDirectoryError, openDataDirectory } from './data-directory.ts';
export { fullDiskError } from './full-disk.ts';
export { isOpenToOthers, modeOf } from './private-mode.ts';
export type { ModeFinding } from './private-mode.ts';
export type { DataDirectory } from './data-directory.ts';
