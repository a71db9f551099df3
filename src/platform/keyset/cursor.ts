import type { z } from 'zod';
import { ServiceError } from '../../contract/errors.ts';

/** Encodes the position after which the next page of a list begins; opaque to clients. */
export function encodeCursor(values: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * The values of a cursor.
 *
 * @param schema accepts the values that the list encodes
 * Errors: `invalid_request` for a text that {@link encodeCursor} did not write, or not for this list.
 */
export function decodeCursor<Values>(cursor: string, schema: z.ZodType<Values>): Values {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  const checked = schema.safeParse(values);
  if (!checked.success) throw invalidCursor();
  return checked.data;
}

/** The error for an invalid cursor; `message` is its validation detail. */
export function invalidCursor(message = 'is not a cursor of this list'): ServiceError {
  return new ServiceError(
    'invalid_request',
    'The cursor is not valid; send nextCursor of the previous page with the same filters and order, or no cursor to start over.',
    { details: [{ path: '/cursor', message }] },
  );
}
