import { readSort } from '../../design/column.ts';
import { readDayRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';

/** The columns of the list of models, in their order. */
export const modelColumnIds = [
  'model',
  'provider',
  'calls',
  'cost',
  'perCall',
  'p50',
  'p95',
  'errors',
  'quality',
  'share',
  'lastSeen',
] as const;
export type ModelColumnId = (typeof modelColumnIds)[number];

/** What stands in the URL of the list of models. */
export interface ModelsSearch extends RangeSearch {
  /** A column; `-` before it: largest first. The most expensive first unless given. */
  order?: string | undefined;
}

/** Reads the search of a URL; what cannot be used is left out. */
export function readModelsSearch(search: Record<string, unknown>): ModelsSearch {
  const { order } = search;
  const known = typeof order === 'string' && modelColumnIds.some((id) => id === readSort(order).id);
  return { ...readDayRange(search), ...(known ? { order } : {}) };
}
