import { readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { readVersion } from '../../version-number.ts';

export const promptViews = ['version', 'compare', 'metrics'] as const;
export type PromptView = (typeof promptViews)[number];

/** The search parameters of a prompt page. */
export interface PromptSearch extends RangeSearch {
  /** The selected version; the one with `label`, or else the latest, by default. */
  version?: number | undefined;
  label?: string | undefined;
  /** The baseline that the selected version is compared with; the one in production by default. */
  with?: number | undefined;
  view?: PromptView | undefined;
}

/** Parses the search parameters of a URL. */
export function readPromptSearch(search: Record<string, unknown>): PromptSearch {
  const version = readVersion(search['version']);
  const other = readVersion(search['with']);
  const { label } = search;
  const view = promptViews.find((known) => known === search['view']);
  return {
    ...readRange(search),
    ...(version === undefined ? {} : { version }),
    ...(typeof label === 'string' && label !== '' ? { label } : {}),
    ...(other === undefined ? {} : { with: other }),
    ...(view === undefined ? {} : { view }),
  };
}
