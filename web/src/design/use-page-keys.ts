import { useEffectEvent, useLayoutEffect, useRef } from 'react';

const pairMs = 1000;
const texts =
  'input:not([type=checkbox], [type=radio], [type=number]), textarea, select, [contenteditable], [role=dialog], [role=menu]';

/** Whether the event's target takes text, or is in a dialog or menu. */
function takesKeys(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof Element && target.closest(texts) !== null;
}

/**
 * Single-key shortcuts of a page. Ignored in text fields, in dialogs and menus, and after `g`, the prefix of page navigation
 * (useShortcuts). They work in number fields, which take no letters.
 *
 * @param since ignores keys pressed before that time, in milliseconds of `performance.now()`; see usePainted
 */
export function usePageKeys(keys: Readonly<Record<string, () => void>>, since = 0): void {
  const leaderAt = useRef(-pairMs);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || takesKeys(event)) return;
    if (event.timeStamp - leaderAt.current < pairMs) {
      leaderAt.current = -pairMs;
      return;
    }
    if (event.key === 'g') {
      leaderAt.current = event.timeStamp;
      return;
    }
    const act = keys[event.key];
    if (act === undefined || event.timeStamp < since) return;
    event.preventDefault();
    act();
  });
  // A layout effect: keys pressed right after the first paint must not be lost.
  useLayoutEffect(() => {
    globalThis.addEventListener('keydown', onKey);
    return () => globalThis.removeEventListener('keydown', onKey);
  }, []);
}
