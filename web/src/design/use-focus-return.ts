import { useEffect, useState } from 'react';

/** The element focused before the open dialog. Shared, so that a dialog opened directly after another returns to the same element. */
let before: Element | null = null;

/** For a menu item, which disappears with its menu, the menu's button; otherwise the element itself. */
function lasting(element: Element | null): Element | null {
  const menu = element?.closest('[role=menu]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element;
}

/**
 * Returns the focus to the previously focused element when a dialog closes. Pass the result to Radix' `onCloseAutoFocus`, which itself
 * knows only dialogs opened by a trigger; ours are opened by state. Use it in a component that lives as long as the dialog.
 */
export function useFocusReturn(): (event: Event) => void {
  // Read during the first render, before the dialog takes the focus.
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
