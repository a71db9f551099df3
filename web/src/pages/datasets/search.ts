export const datasetTabs = ['items', 'runs', 'compare'] as const;
export type DatasetTab = (typeof datasetTabs)[number];

/** What stands in the URL of a dataset. */
export interface DatasetSearch {
  /** Items unless given. */
  tab?: DatasetTab | undefined;
  /** The item that is open. */
  item?: string | undefined;
  /** The two runs that are compared. */
  a?: string | undefined;
  b?: string | undefined;
  /** What compared items are sorted by; `-` before it: largest first. The largest loss first unless given. */
  order?: string | undefined;
}

/** What stands in the URL of a run. */
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

/** Reads the search of a URL; what cannot be used is left out. */
export function readDatasetSearch(search: Record<string, unknown>): DatasetSearch {
  const tab = datasetTabs.find((one) => one === search['tab']);
  return { ...texts(search, ['item', 'a', 'b', 'order']), ...(tab === undefined ? {} : { tab }) };
}

/** Reads the search of a URL. */
export function readRunSearch(search: Record<string, unknown>): RunSearch {
  return texts(search, ['item', 'order']);
}
