import { useEffectEvent, useLayoutEffect, useRef } from 'react';

const pairMs = 1000;
const texts =
  'input:not([type=checkbox], [type=radio], [type=number]), textarea, select, [contenteditable], [role=dialog], [role=menu]';

/** Where letters are typed, or something lies over the page. */
function takesKeys(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof Element && target.closest(texts) !== null;
}

/**
 * Single keys of a page, by what they do. They rest while somebody types a text, while a dialog is open, and after `g`, which goes to
 * another page (useShortcuts). A field for a number takes no letters, so keys work in it as well.
 */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
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
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  // What is in sight answers to its keys from the first moment: an effect after painting would lose the first ones.
  useLayoutEffect(() => {
    globalThis.addEventListener('keydown', onKey);
    return () => globalThis.removeEventListener('keydown', onKey);
  }, []);
}
