import { useCallback, useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/**
 * The selection from which a key moves on. The URL, and with it `selected`, changes after a key was handled, so the next key may come first.
 *
 * @param selected the ID in the URL
 * @param onSelect changes the URL
 * @returns `latest`, the ID that was last selected here, or else `selected`; and `select`, which does not change
 */
export function useKeySelection(
  selected: string | null,
  onSelect: (id: string) => void,
): { latest: RefObject<string | null>; select(id: string): void } {
  const asked = useRef<string[]>([]);
  const latest = useRef(selected);
  useLayoutEffect(() => {
    // What was selected earlier is past; a selection from elsewhere replaces all.
    const index = selected === null ? -1 : asked.current.indexOf(selected);
    asked.current = index === -1 ? [] : asked.current.slice(index + 1);
    latest.current = asked.current.at(-1) ?? selected;
  }, [selected]);
  const select = useCallback(
    (id: string) => {
      if (id !== latest.current) asked.current.push(id);
      latest.current = id;
      onSelect(id);
    },
    [onSelect],
  );
  return { latest, select };
}
