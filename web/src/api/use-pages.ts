import { useCallback, useEffect } from 'react';

interface Paginated {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
}

interface AllPages {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
}

/** Loads the next page of a list, once at a time. One that failed is left to the list's end, which offers to try again. */
export function useMore({ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: Paginated): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
}

/** Loads all pages of a list, one after the other. One that fails ends it, until the list is loaded again. */
export function useAllPages({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: AllPages): void {
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}
