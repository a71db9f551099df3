import type { ReactNode } from 'react';

interface ListEndProps {
  /** The pages of the list, of an infinite query. */
  pages: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage(): unknown;
  };
  /** The end of a complete list: the number of its rows. */
  children: ReactNode;
  /** While there are further pages. */
  incomplete?: ReactNode;
}

/** The end of a list that loads its next page as the viewer scrolls. One that failed is asked for again by a button. */
export function ListEnd({ pages, children, incomplete = 'Loading more…' }: ListEndProps): ReactNode {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const failed = hasNextPage && isFetchNextPageError && !isFetchingNextPage;
  return (
    <p className="px-3 py-2 text-xs text-ink-faint">
      {failed ? (
        <>
          <span role="alert" className="text-bad">
            Further rows can’t be loaded.
          </span>{' '}
          <button type="button" onClick={() => void fetchNextPage()} className="font-medium text-ink-soft underline">
            Try again
          </button>
        </>
      ) : hasNextPage ? (
        incomplete
      ) : (
        children
      )}
    </p>
  );
}
