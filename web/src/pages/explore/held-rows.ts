import { useState } from 'react';

/** The rows to show, and the number of newer ones that are held back. */
export interface HeldRows<Row> {
  shown: readonly Row[];
  waiting: number;
}

/**
 * The list as it was when it was held, with the current data of its rows. Newer ones wait, so that what is being read does not move. Pure
 * function.
 *
 * @param held null while the list is not held
 */
export function heldRows<Row>(rows: readonly Row[], held: readonly Row[] | null, keyOf: (row: Row) => string): HeldRows<Row> {
  if (held === null) return { shown: rows, waiting: 0 };
  const current = new Map(rows.map((row) => [keyOf(row), row]));
  const known = new Set(held.map(keyOf));
  return {
    shown: held.map((row) => current.get(keyOf(row)) ?? row),
    waiting: rows.filter((row) => !known.has(keyOf(row))).length,
  };
}

/** {@link heldRows} while `reading`. @param list changes when the list is another one */
export function useHeldRows<Row>(
  rows: readonly Row[],
  reading: boolean,
  list: unknown,
  keyOf: (row: Row) => string,
): HeldRows<Row> {
  const [held, setHeld] = useState<{ rows: readonly Row[]; list: unknown } | null>(null);
  if (reading && rows.length > 0 && held?.list !== list) setHeld({ rows, list });
  else if (!reading && held !== null) setHeld(null);
  return heldRows(rows, reading && held !== null && held.list === list ? held.rows : null, keyOf);
}
