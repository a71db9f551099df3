export { DataDirectoryError, openDataDirectory } from './data-directory.ts';
export type { DataDirectory } from './data-directory.ts';
