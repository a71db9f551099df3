import { ServiceError } from './errors.ts';

/** A cursor over rows ordered by creation and id: opaque to callers. */
export interface PagePosition {
  createdAt: string;
  id: string;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** As {@link encodeCursor} writes it: JavaScript reads dates that PostgreSQL refuses. */
function isTimestamp(value: unknown): value is string {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return ms >= 0 && new Date(ms).toISOString() === value;
}

/** The text of a cursor. */
export function encodeCursor(position: PagePosition): string {
  return Buffer.from(JSON.stringify([position.createdAt, position.id])).toString('base64url');
}

/**
 * The position that a cursor stands for; null without one.
 *
 * Errors: `invalid_request` for a text that this service did not make.
 */
export function decodeCursor(cursor: string | undefined): PagePosition | null {
  if (cursor === undefined) return null;
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as [unknown, unknown];
    if (isTimestamp(createdAt) && typeof id === 'string' && uuidPattern.test(id)) return { createdAt, id };
  } catch {
    // Falls through to the refusal.
  }
  throw new ServiceError(
    'invalid_request',
    'The cursor is not valid; use nextCursor of the page before, or leave it out to start over.',
    {
      details: [{ path: '/cursor', message: 'is not a cursor of this list' }],
    },
  );
}

/**
 * One page out of one row more than it takes.
 *
 * @param rows at most `limit + 1`, in order
 */
export function pageOf<T extends { id: string; createdAt: string }>(
  rows: readonly T[],
  limit: number,
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor({ createdAt: last.createdAt, id: last.id }) : null };
}
