export { isTestFile, readPolicyFiles } from './documents/read-files.ts';
export type { FilePolicy, FilesRead } from './documents/read-files.ts';
export { open } from './open.ts';
