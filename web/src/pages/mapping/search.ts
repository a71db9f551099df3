import { searchText } from '../../trace-filters.ts';

/** The search parameters of the mapping inspector: a recorded span, instead of a pasted body. */
export interface MappingSearch {
  trace?: string | undefined;
  span?: string | undefined;
}

/** Parses the search parameters of a URL. */
export function readMappingSearch(search: Record<string, unknown>): MappingSearch {
  const trace = searchText(search, 'trace');
  const span = searchText(search, 'span');
  if (trace === undefined) return {};
  return span === undefined ? { trace } : { trace, span };
}
