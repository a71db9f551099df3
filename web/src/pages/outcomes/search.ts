import { readFigures } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';

/** The search parameters of the page of outcomes. */
export interface OutcomesSearch extends FiguresSearch {
  /** Of one kind; all by default. */
  kind?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readOutcomesSearch(search: Record<string, unknown>): OutcomesSearch {
  const { kind } = search;
  return { ...readFigures(search), ...(typeof kind === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(kind) ? { kind } : {}) };
}
