import { useCallback } from 'react';

interface Paginated {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** Loads the next page of a list, once at a time. */
export function useMore({ hasNextPage, isFetchingNextPage, fetchNextPage }: Paginated): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
}
