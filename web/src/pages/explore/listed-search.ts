import { useMemo } from 'react';
import type { ExploreSearch } from './search.ts';

/** The search parameters on which the records of the list depend: not the panel beside it, its columns, the charts, nor the name of the view. */
export function listedSearch({
  peek: _peek,
  span: _span,
  columns: _columns,
  chart: _chart,
  view: _view,
  ...listed
}: ExploreSearch): ExploreSearch {
  return listed;
}

/** {@link listedSearch}, the same object as long as it says the same. */
export function useListedSearch(search: ExploreSearch): ExploreSearch {
  const text = JSON.stringify(listedSearch(search));
  return useMemo(() => JSON.parse(text) as ExploreSearch, [text]);
}
