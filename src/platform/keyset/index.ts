export { decodeCursor, encodeCursor, invalidCursor } from './cursor.ts';
export { byCreation, Keyset } from './keyset.ts';
export type { Page } from './keyset.ts';
