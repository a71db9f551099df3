import type { Query, QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { sessionKey } from './session.ts';

let count = 0;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often the shown data was refreshed: relative ranges end at the latest refresh. */
export function useRefreshCount(): number {
  return useSyncExternalStore(subscribe, () => count);
}

/** Whether more than the first page of a list is loaded: it is being read, and stays as it is. */
function isBeingRead({ state }: Pick<Query, 'state'>): boolean {
  const data = state.data as { pages?: readonly unknown[] } | undefined;
  return (data?.pages?.length ?? 0) > 1;
}

/**
 * Loads everything that the page shows again. The session is left out: a role that has changed takes a form away, which keeps its text when it
 * is refused.
 *
 * @param reading `keep` leaves lists with several pages as they are
 */
export async function refreshShown(client: QueryClient, reading: 'keep' | 'reload'): Promise<void> {
  const shown = client.getQueryCache().findAll({ type: 'active', predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  const kept = new Set(reading === 'keep' ? shown.filter(isBeingRead).map(({ queryHash }) => queryHash) : []);
  // A list whose range moves begins again.
  if (kept.size === 0) {
    count += 1;
    flushSync(() => listeners.forEach((listener) => listener()));
  }
  await client.refetchQueries(
    { type: 'active', predicate: ({ queryKey, queryHash }) => queryKey[0] !== sessionKey[0] && !kept.has(queryHash) },
    // What a moved range has begun to load is loaded once.
    { cancelRefetch: false },
  );
}
