import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { datasetItemsQuery } from '../../api/datasets.ts';
import { useProject } from '../../frame/project-context.ts';
import type { NumberedItem } from './item-columns.tsx';

/** Maximum number of pages (1,000 items each) that are loaded. Items beyond are shown by ID. */
const maxPages = 10;

/** The dataset items of a run or comparison by ID, as far as loaded. @param needed number of items in the run */
export function useItemsOf(datasetId: string, needed: number): ReadonlyMap<string, NumberedItem> {
  const { projectId } = useProject();
  const query = useInfiniteQuery(datasetItemsQuery(projectId, datasetId));
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const byId = useMemo(
    () =>
      new Map(
        data?.pages
          .flatMap((page) => page.items)
          .map((item, index): [string, NumberedItem] => [item.id, { item, number: index + 1 }]),
      ),
    [data],
  );
  const pagesRead = data?.pages.length ?? 0;
  useEffect(() => {
    const isReady = hasNextPage && !isFetching && !isFetchNextPageError;
    if (needed > byId.size && pagesRead < maxPages && isReady) void fetchNextPage();
  }, [needed, byId, pagesRead, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  return byId;
}
