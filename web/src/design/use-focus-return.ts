import { useEffect, useState } from 'react';

/** Where the focus was before the open dialogs, the innermost first: a dialog may be opened in another, or directly after it. */
let before: readonly Element[] = [];

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
  const [{ origins, outer }] = useState(() => {
    const origin = lasting(document.activeElement);
    return { origins: origin === null ? before : [origin, ...before], outer: before };
  });
  useEffect(() => {
    before = origins;
  }, [origins]);
  return (event) => {
    event.preventDefault();
    // A dialog that was opened meanwhile has the focus, and returns it to this one's origin.
    if (before !== origins) return;
    before = outer;
    const target = origins.find(isUsable) ?? document.querySelector<HTMLElement>('[role=dialog][data-state=open]') ?? main();
    target?.focus({ preventScroll: true });
  };
}

const main = () => document.querySelector<HTMLElement>('main');

/** Whether an element takes the focus. What is behind an open dialog is hidden from assistive technology, and does not. */
function isUsable(origin: Element): origin is HTMLElement {
  if (!(origin instanceof HTMLElement) || !origin.isConnected || origin === document.body) return false;
  return !origin.matches(':disabled') && origin.closest('[aria-hidden=true]') === null;
}
