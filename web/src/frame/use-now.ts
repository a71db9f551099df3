import { useMemo } from 'react';

/**
 * The time at which a view was opened, epoch milliseconds. Relative ranges end there. It is constant until the view changes, so that
 * paging continues in the same list.
 */
export function useNow(view: object): number {
  // oxlint-disable-next-line react/purity, react/memo-dependencies, react/exhaustive-deps -- the view is the only dependency
  return useMemo(() => Date.now(), [view]);
}
