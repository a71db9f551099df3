export { commentTables } from './commented-table.ts';
export { open } from './open.ts';
export type { CommentsFeature } from './open.ts';
