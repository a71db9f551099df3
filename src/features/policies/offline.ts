// What the command line does with policy files without a service. Its commands are part of the SDK's package, so nothing here opens a store.
export { isTestFile } from './documents/files-read.ts';
export type { FilePolicy } from './documents/files-read.ts';
export { readFilesHere } from './documents/read-files-here.ts';
