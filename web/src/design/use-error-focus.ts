import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/**
 * Moves the focus to the first invalid field of a form, or else to the first message, and scrolls it into view.
 *
 * @param error what the form shows; each new one moves the focus. Null for none
 * @returns a ref for the form
 */
export function useErrorFocus<Form extends HTMLElement>(error: unknown): RefObject<Form | null> {
  const form = useRef<Form>(null);
  useEffect(() => {
    if (error === null || error === undefined) return;
    const found =
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]') ?? form.current?.querySelector<HTMLElement>('[role=alert]');
    if (!found) return;
    if (found.matches('[role=alert]')) found.tabIndex = -1;
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: 'center' });
  }, [error]);
  return form;
}
