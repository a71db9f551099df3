import { useMemo } from 'react';
import { useRefreshCount } from '../api/refresh.ts';

/**
 * The time at which a view was opened or refreshed, epoch milliseconds. Relative ranges end there. It is constant until then, so that
 * paging continues in the same list.
 */
export function useNow(view: object): number {
  const refreshes = useRefreshCount();
  // oxlint-disable-next-line react/purity, react/memo-dependencies, react/exhaustive-deps -- the view and its refreshes are the only dependencies
  return useMemo(() => Date.now(), [view, refreshes]);
}
