import type { RefObject } from 'react';
import { usePageKeys } from './use-page-keys.ts';

/**
 * `j` and `k` move the focus to the link of the next and the previous row. Of several tables on a page, only the first reacts.
 *
 * @param show scrolls a row into view
 */
export function useRowKeys(scroller: RefObject<HTMLElement | null>, rowCount: number, show: (index: number) => void): void {
  const move = (step: number) => () => {
    const table = scroller.current;
    if (!table || rowCount === 0 || document.querySelector('[data-rows]') !== table) return;
    const focused = document.activeElement?.closest('[aria-rowindex]');
    // The first row of the body has the index 2.
    const current = focused && table.contains(focused) ? Number(focused.getAttribute('aria-rowindex')) - 2 : null;
    const next = current === null ? 0 : Math.min(Math.max(current + step, 0), rowCount - 1);
    const focus = () => {
      const target = table.querySelector<HTMLElement>(`[aria-rowindex="${next + 2}"] :is(a, button)`);
      target?.focus({ preventScroll: false });
      return target !== null;
    };
    if (focus()) return;
    // Rows outside of the viewport are not in the document.
    show(next);
    requestAnimationFrame(() => requestAnimationFrame(focus));
  };
  usePageKeys({ j: move(1), k: move(-1) });
}
