import { readDayRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { readVersion } from '../../version-number.ts';

export const promptViews = ['version', 'compare', 'metrics'] as const;
export type PromptView = (typeof promptViews)[number];

/** What stands in the URL of a prompt's page. */
export interface PromptSearch extends RangeSearch {
  /** The selected version; else the one with `label`, else the newest. */
  version?: number | undefined;
  label?: string | undefined;
  /** The version that the selected one is compared with; the one before it unless given. */
  with?: number | undefined;
  view?: PromptView | undefined;
}

/** Reads the search of a URL. */
export function readPromptSearch(search: Record<string, unknown>): PromptSearch {
  const version = readVersion(search['version']);
  const other = readVersion(search['with']);
  const { label } = search;
  const view = promptViews.find((known) => known === search['view']);
  return {
    ...readDayRange(search),
    ...(version === undefined ? {} : { version }),
    ...(typeof label === 'string' && label !== '' ? { label } : {}),
    ...(other === undefined ? {} : { with: other }),
    ...(view === undefined ? {} : { view }),
  };
}
