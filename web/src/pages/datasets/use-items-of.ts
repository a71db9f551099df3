import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { datasetItemsQuery } from '../../api/datasets.ts';
import { useProject } from '../../frame/project-context.ts';
import type { NumberedItem } from './item-columns.tsx';

/** Pages of a thousand items that are read for what they hold; items beyond are shown by their id. */
const mostPages = 10;

/** A dataset's items by their ids: those that a run or a comparison names, as far as they are read. */
export function useItemsOf(datasetId: string, needed: number): ReadonlyMap<string, NumberedItem> {
  const { projectId } = useProject();
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(datasetItemsQuery(projectId, datasetId));
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
    if (needed > byId.size && pagesRead < mostPages && hasNextPage && !isFetching) void fetchNextPage();
  }, [needed, byId, pagesRead, hasNextPage, isFetching, fetchNextPage]);
  return byId;
}
