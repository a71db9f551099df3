import { readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';

/** The search parameters of the list of prompts. The range is kept for the metrics of a prompt. */
export interface PromptsSearch extends RangeSearch {
  /** `/` for prompts without a folder. */
  folder?: string | undefined;
  tag?: string | undefined;
  q?: string | undefined;
}

/** Parses the search parameters of a URL. */
export function readPromptsSearch(search: Record<string, unknown>): PromptsSearch {
  const read: PromptsSearch = readRange(search);
  for (const name of ['folder', 'tag', 'q'] as const) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') read[name] = value;
  }
  return read;
}
