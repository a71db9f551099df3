import { ServiceError } from '../../contract/errors.ts';

/** Where a list goes on: behind this name, or below this version. */
export type Position = string | number;

/** The text of a cursor. */
export function encodePosition(position: Position): string {
  return Buffer.from(JSON.stringify([position])).toString('base64url');
}

/** The position that a cursor stands for; null without one. Errors: `invalid_request` for a text that this service did not make. */
export function decodePosition(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  try {
    const [position, ...more] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    // Other lists' cursors say more than one thing.
    if (more.length > 0) throw refuseCursor();
    if (typeof position === 'string' && !position.includes('\0') && position.isWellFormed()) return position;
    if (typeof position === 'number' && position > 0 && position <= 2_147_483_647 && Number.isInteger(position)) return position;
  } catch {
    // Falls through to the refusal.
  }
  throw refuseCursor();
}

export function refuseCursor(): ServiceError {
  return new ServiceError(
    'invalid_request',
    'The cursor is not valid; use nextCursor of the page before, or leave it out to start over.',
    { details: [{ path: '/cursor', message: 'is not a cursor of this list' }] },
  );
}
