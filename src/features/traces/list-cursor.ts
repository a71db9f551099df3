import { createHash } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';

/** Where a list stands: behind the row with this value of the sort column and, among equal ones, this id. */
export interface ListPosition {
  /** The sort column's value as decimal text: exact, whatever its type. */
  value: string;
  id: string;
}

/** A short name of what a list was asked for: a cursor is good only for the list that gave it. */
export function listName(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}

/** The text of a cursor. */
export function encodeListCursor(list: string, { value, id }: ListPosition): string {
  return Buffer.from(JSON.stringify([list, value, id])).toString('base64url');
}

/**
 * The position that a cursor stands for; null without one.
 *
 * @param isValue whether a text is a value of the sort column
 * Errors: `invalid_request` for a text that this service did not make, and for the cursor of a list with other filters or order.
 */
export function decodeListCursor(
  cursor: string | undefined,
  list: string,
  isValue: (value: string) => boolean,
): ListPosition | null {
  if (cursor === undefined) return null;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw refusal('is not a cursor');
  }
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === 'string'))
    throw refusal('is not a cursor');
  const [name, value, id] = parts as [string, string, string];
  if (name !== list) throw refusal('belongs to a list with other filters or order');
  if (!isValue(value)) throw refusal('is not a cursor');
  return { value, id };
}

function refusal(message: string): ServiceError {
  return new ServiceError(
    'invalid_request',
    'Send nextCursor of the page before with the same filters and order, or no cursor to start over.',
    {
      details: [{ path: '/cursor', message }],
    },
  );
}

/** Whether a text is a whole number that fits 64 bits, signed. */
export function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** Whether a text is a finite number. */
export function isFloat64(text: string): boolean {
  return /^-?\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?$/.test(text) && Number.isFinite(Number(text));
}
