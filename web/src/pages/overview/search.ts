import { readDayRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';

/** What the overview is divided by. */
export type Division = 'model' | 'agent';

/** What stands in the URL of the overview. */
export interface OverviewSearch extends RangeSearch {
  /** By model unless given. */
  by?: 'agent' | undefined;
}

/** Reads the search of a URL; what cannot be used is left out. */
export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  return { ...readDayRange(search), ...(search['by'] === 'agent' ? { by: 'agent' as const } : {}) };
}
