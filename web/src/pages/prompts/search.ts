import { readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';

/** What stands in the URL of the list of prompts; the range is carried along to a prompt's metrics. */
export interface PromptsSearch extends RangeSearch {
  /** `/` for the prompts in no folder. */
  folder?: string | undefined;
  tag?: string | undefined;
  q?: string | undefined;
}

/** Reads the search of a URL. */
export function readPromptsSearch(search: Record<string, unknown>): PromptsSearch {
  const read: PromptsSearch = readRange(search);
  for (const name of ['folder', 'tag', 'q'] as const) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') read[name] = value;
  }
  return read;
}
