import { useMemo } from 'react';

/**
 * When a view was opened, epoch milliseconds: relative ranges count back from there, and it stays until something about the view changes, so
 * that paging goes on in the same list.
 */
export function useNow(view: object): number {
  // oxlint-disable-next-line react/purity, react/memo-dependencies, react/exhaustive-deps -- read anew for each view, and for nothing else
  return useMemo(() => Date.now(), [view]);
}
