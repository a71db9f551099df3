import { outcomes } from './comparison-rows.ts';
import type { Outcome } from './comparison-rows.ts';

export const datasetTabs = ['items', 'runs', 'compare'] as const;
export type DatasetTab = (typeof datasetTabs)[number];

/** The search parameters of a dataset page. */
export interface DatasetSearch {
  /** `items` by default. */
  tab?: DatasetTab | undefined;
  /** The selected item. */
  item?: string | undefined;
  /** The compared runs: baseline a and candidate b. */
  a?: string | undefined;
  b?: string | undefined;
  /** Sort column of compared items, descending with a leading `-`. Biggest regression first by default. */
  order?: string | undefined;
  /** Compared items of this outcome only. */
  show?: Outcome | undefined;
  /** Items are compared by this evaluator only. */
  evaluator?: string | undefined;
}

/** The search parameters of a run page. */
export interface RunSearch {
  item?: string | undefined;
  order?: string | undefined;
}

function texts<Name extends string>(search: Record<string, unknown>, names: readonly Name[]): Partial<Record<Name, string>> {
  const read: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') read[name] = value;
  }
  return read;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readDatasetSearch(search: Record<string, unknown>): DatasetSearch {
  const tab = datasetTabs.find((one) => one === search['tab']);
  const show = outcomes.find((one) => one === search['show']);
  return {
    ...texts(search, ['item', 'a', 'b', 'order', 'evaluator']),
    ...(tab === undefined ? {} : { tab }),
    ...(show === undefined ? {} : { show }),
  };
}

/** Parses the search parameters of a URL. */
export function readRunSearch(search: Record<string, unknown>): RunSearch {
  return texts(search, ['item', 'order']);
}
