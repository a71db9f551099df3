import { useEffect, useState } from 'react';

/** What had the focus before the dialog that is open, until that has given it back: one that follows at once leads back there as well. */
let before: Element | null = null;

/** What keeps the focus of an element: of an entry in a menu, which goes with its menu, the menu's button. */
function lasting(element: Element | null): Element | null {
  const menu = element?.closest('[role=menu]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element;
}

/**
 * Gives the focus back to what had it, once a dialog closes. For a component that is there as long as the dialog is, and goes to Radix'
 * `onCloseAutoFocus`, which knows only the trigger of a dialog; ours are opened by state.
 */
export function useFocusReturn(): (event: Event) => void {
  // While it is rendered first, nothing in it has the focus yet.
  const [origin] = useState(() => before ?? lasting(document.activeElement));
  useEffect(() => {
    before = origin;
  }, [origin]);
  return (event) => {
    event.preventDefault();
    before = null;
    const usable =
      origin instanceof HTMLElement && origin.isConnected && origin !== document.body && !origin.matches(':disabled');
    const target = usable ? origin : document.querySelector<HTMLElement>('main');
    target?.focus({ preventScroll: true });
  };
}
