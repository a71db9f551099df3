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

/** Global shortcuts: Ctrl+K or Cmd+K opens the palette; `g` and a letter opens a page. */
export function useShortcuts(openPalette: () => void): void {
  const { at } = useProject();
  const navigate = useNavigate();
  const router = useRouter();
  const leaderAt = useRef(0);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (event.key === 'g') {
      leaderAt.current = event.timeStamp;
      return;
    }
    const destination = destinationsOf(router).find(({ key }) => key === event.key);
    if (destination && event.timeStamp - leaderAt.current < pairMs) {
      leaderAt.current = 0;
      void navigate({ to: destination.to, params: at });
    }
  });
  useEffect(() => {
    globalThis.addEventListener('keydown', onKey);
    return () => globalThis.removeEventListener('keydown', onKey);
  }, []);
}
