import { useCallback, useSyncExternalStore } from 'react';

/** Beside the sidebar, from which on panels stand side by side. */
export const wideWindow = '(width >= 64rem)';

/** Whether a media query holds, also when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (tell: () => void) => {
      const media = globalThis.matchMedia(query);
      media.addEventListener('change', tell);
      return () => media.removeEventListener('change', tell);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => globalThis.matchMedia(query).matches);
}
