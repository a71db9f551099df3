export { commentTables } from './commented-table.ts';
export { changeComment } from './change-comment.ts';
export { createComment } from './create-comment.ts';
export { open } from './open.ts';
export type { CommentsFeature } from './open.ts';
