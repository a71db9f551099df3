import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { destinationsOf } from './navigation.ts';
import { useProject } from './project-context.ts';

const pairMs = 1000;

/** Whether the event's target takes text. Uses the composed path, because editors are in a shadow root. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

interface Actions {
  openPalette(): void;
  /** Shows the list of keys. */
  openKeys(): void;
}

/** Focuses the search field of the page. @returns whether it has one */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>('main :is(input[type=search], [data-search])');
  // The editor of a filter is in a shadow root, whose host would give the focus to what scrolls.
  (field?.shadowRoot?.querySelector<HTMLElement>('[contenteditable]') ?? field)?.focus();
  if (field instanceof HTMLInputElement) field.select();
  return field !== null;
}

/** Global shortcuts: Ctrl+K or Cmd+K opens the palette; `g` and a letter opens a page; `/` searches; `?` lists the keys. */
export function useShortcuts({ openPalette, openKeys }: Actions): void {
  const { at } = useProject();
  const navigate = useNavigate();
  const router = useRouter();
  // Time stamps start at zero when the document is opened: a key of its first second does not follow `g`.
  const leaderAt = useRef(-pairMs);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const inDialog = event.target instanceof Element && event.target.closest('[role=dialog]') !== null;
    if (!inDialog && (event.key === '?' || event.key === '/')) {
      event.preventDefault();
      if (event.key === '?') openKeys();
      else if (!focusSearch()) openPalette();
      return;
    }
    if (event.key === 'g') {
      leaderAt.current = event.timeStamp;
      return;
    }
    const destination = destinationsOf(router).find(({ key }) => key === event.key);
    if (destination && event.timeStamp - leaderAt.current < pairMs) {
      leaderAt.current = -pairMs;
      void navigate({ to: destination.to, params: at });
    }
  });
  useEffect(() => {
    globalThis.addEventListener('keydown', onKey);
    return () => globalThis.removeEventListener('keydown', onKey);
  }, []);
}
