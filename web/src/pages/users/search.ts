import type { ListUsersQuery, UserSort } from '../../api/parts.ts';
import { rangeRequest, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { searchText } from '../../trace-filters.ts';

/** The columns by which the service sorts, descending. */
const sorts: readonly UserSort[] = ['-cost', '-lastSeen', '-traces', '-errors'];

/** The search parameters of the list of users. */
export interface UsersSearch extends RangeSearch {
  q?: string | undefined;
  filter?: string | undefined;
  /** By cost by default. */
  order?: UserSort | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readUsersSearch(search: Record<string, unknown>): UsersSearch {
  const [q, filter] = [searchText(search, 'q'), searchText(search, 'filter')];
  const order = sorts.find((one) => one === search['order']);
  return {
    ...readRange(search),
    ...(q === undefined ? {} : { q }),
    ...(filter === undefined ? {} : { filter }),
    ...(order === undefined ? {} : { order }),
  };
}

/** The request for the list. */
export function usersRequest(search: UsersSearch, nowMs: number): Omit<ListUsersQuery, 'cursor' | 'limit'> {
  const { q, filter, order } = search;
  return { ...rangeRequest(search, nowMs), ...(q && { q }), ...(filter && { filter }), ...(order && { sort: order }) };
}
