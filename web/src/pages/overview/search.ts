import { readFigures } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';

/** Grouping of the overview. */
export type Grouping = 'model' | 'agent';

/** The search parameters of the overview. */
export interface OverviewSearch extends FiguresSearch {
  /** By model by default. */
  by?: 'agent' | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  return { ...readFigures(search), ...(search['by'] === 'agent' ? { by: 'agent' as const } : {}) };
}
