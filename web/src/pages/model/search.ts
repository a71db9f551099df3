import { readFigures } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';

/** The search parameters of the page of a model. */
export interface ModelSearch extends FiguresSearch {
  /** The cost in the chart of cost and quality: a kind of outcome and its currency, `order.placed:USD`. Per call by default. */
  cost?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readModelSearch(search: Record<string, unknown>): ModelSearch {
  const { cost } = search;
  return { ...readFigures(search), ...(typeof cost === 'string' && /^[\w.-]{1,64}:[A-Z]{3}$/.test(cost) ? { cost } : {}) };
}
