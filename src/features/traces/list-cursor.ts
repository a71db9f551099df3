import { createHash } from 'node:crypto';
import { z } from 'zod';
import { decodeCursor, encodeCursor, invalidCursor } from '../../platform/keyset/index.ts';

/** A position in a list: after the row with this value of the sort column and, among equal values, this id. */
export interface ListPosition {
  /** The value of the sort column as decimal text, which is exact for every type. */
  value: string;
  id: string;
}

/** A digest of the filters and order of a list: a cursor is valid only for the list that returned it. */
export function listName(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}

/** The text of a cursor. */
export function encodeListCursor(list: string, { value, id }: ListPosition): string {
  return encodeCursor([list, value, id]);
}

const cursorValues = z.tuple([z.string(), z.string(), z.string()]);

/**
 * Parses a cursor into its position; null without one.
 *
 * @param isValue whether a text is a value of the sort column
 * @param isId whether a text can be the id of a row
 * Errors: `invalid_request` for an invalid cursor, and for the cursor of a list with other filters or order.
 */
export function decodeListCursor(
  cursor: string | undefined,
  list: string,
  isValue: (value: string) => boolean,
  isId: (id: string) => boolean = () => true,
): ListPosition | null {
  if (cursor === undefined) return null;
  const [name, value, id] = decodeCursor(cursor, cursorValues);
  if (name !== list) throw invalidCursor('belongs to a list with other filters or order');
  if (!isValue(value) || !isId(id)) throw invalidCursor();
  return { value, id };
}

/** Whether a text is a signed 64-bit integer. */
export function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** Whether a text is an unsigned 64-bit integer. */
export function isUint64(text: string): boolean {
  return /^\d{1,20}$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text);
}

/** Whether a text is a finite number. */
export function isFloat64(text: string): boolean {
  return /^-?\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?$/.test(text) && Number.isFinite(Number(text));
}
