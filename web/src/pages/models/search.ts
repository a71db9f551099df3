import { readSort } from '../../design/column.ts';
import { readFigures } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';

/** The columns of the list of models, in order. */
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

/** The search parameters of the list of models. */
export interface ModelsSearch extends FiguresSearch {
  /** Sort column, descending with a leading `-`. `-cost` by default. */
  order?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readModelsSearch(search: Record<string, unknown>): ModelsSearch {
  const { order } = search;
  const known = typeof order === 'string' && modelColumnIds.some((id) => id === readSort(order).id);
  return { ...readFigures(search), ...(known ? { order } : {}) };
}
