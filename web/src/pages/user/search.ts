import { readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { searchText } from '../../trace-filters.ts';

/** The search parameters of the page of a user. */
export interface UserSearch extends RangeSearch {
  /** The job that deletes the user's data. */
  job?: string | undefined;
}

/** Parses the search parameters of a URL. */
export function readUserSearch(search: Record<string, unknown>): UserSearch {
  const job = searchText(search, 'job');
  return { ...readRange(search), ...(job === undefined ? {} : { job }) };
}
