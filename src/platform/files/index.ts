export { copyFileHashed, hashFile } from './copy-file-hashed.ts';
export type { FileHash } from './copy-file-hashed.ts';
export { listTree } from './list-tree.ts';
export { syncPath, syncTree } from './sync-tree.ts';
