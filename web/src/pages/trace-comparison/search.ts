import { searchText } from '../../trace-filters.ts';

/** The search parameters of the comparison of two traces. */
export interface ComparisonSearch {
  /** Ids of the traces. */
  a?: string | undefined;
  b?: string | undefined;
  /** The number of the opened pair of spans, from 1. */
  pair?: number | undefined;
  /** Only pairs that differ are listed. */
  only?: 'differences' | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readComparisonSearch(search: Record<string, unknown>): ComparisonSearch {
  const [a, b, pair] = [searchText(search, 'a'), searchText(search, 'b'), Number(search['pair'])];
  return {
    ...(a === undefined ? {} : { a }),
    ...(b === undefined ? {} : { b }),
    ...(Number.isSafeInteger(pair) && pair > 0 ? { pair } : {}),
    ...(search['only'] === 'differences' ? { only: 'differences' as const } : {}),
  };
}
