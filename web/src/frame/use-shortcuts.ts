import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { destinations } from './navigation.ts';
import { useProject } from './project-context.ts';

const pairMs = 1000;

/** Also in an editor, which stands in a shadow root: from outside, its host is the target. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Ctrl or Cmd with K opens the palette; `g` and a letter goes to a page. */
export function useShortcuts(openPalette: () => void): void {
  const { at } = useProject();
  const navigate = useNavigate();
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
    const destination = destinations.find(({ key }) => key === event.key);
    if (destination && event.timeStamp - leaderAt.current < pairMs) {
      leaderAt.current = 0;
      void navigate(destination.link(at));
    }
  });
  useEffect(() => {
    globalThis.addEventListener('keydown', onKey);
    return () => globalThis.removeEventListener('keydown', onKey);
  }, []);
}
