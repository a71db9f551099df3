import type { RefObject } from 'react';
import { usePageKeys } from './use-page-keys.ts';

interface RowKeys {
  /** Scrolls a row into view. */
  show(index: number): void;
  /** The row from which the keys move where none has the focus; by default they begin with the first. */
  from?: number | null;
  /** A key moved to a row. */
  onMove?(index: number): void;
}

/** The index of the row of a table that has the focus; null for none. */
export function focusedRow(table: HTMLElement): number | null {
  const row = document.activeElement?.closest('[aria-rowindex]');
  // The first row of the body has the index 2.
  return row && table.contains(row) ? Number(row.getAttribute('aria-rowindex')) - 2 : null;
}

/** `j` and `k` move the focus to the link of the next and the previous row. Of several tables on a page, only the first reacts. */
export function useRowKeys(
  scroller: RefObject<HTMLElement | null>,
  rowCount: number,
  { show, from = null, onMove }: RowKeys,
): void {
  const move = (step: number) => () => {
    const table = scroller.current;
    if (!table || rowCount === 0 || document.querySelector('[data-rows]') !== table) return;
    const current = focusedRow(table) ?? from;
    const next = current === null ? 0 : Math.min(Math.max(current + step, 0), rowCount - 1);
    const focus = () => {
      const target = table.querySelector<HTMLElement>(`[aria-rowindex="${next + 2}"] :is(a, button)`);
      target?.focus({ preventScroll: false });
      return target !== null;
    };
    onMove?.(next);
    if (focus()) return;
    // Rows outside of the viewport are not in the document.
    show(next);
    requestAnimationFrame(() => requestAnimationFrame(focus));
  };
  usePageKeys({ j: move(1), k: move(-1) });
}
