/** Filters of traces by the name of their parameter, with what people call them. */
export const filterLabels = {
  model: 'Model',
  agent: 'Agent',
  session: 'Session',
  user: 'User',
  environment: 'Environment',
  status: 'Status',
  tag: 'Tag',
  minLatency: 'Latency at least (ms)',
  minCost: 'Cost at least ($)',
} as const;
export type FilterName = keyof typeof filterLabels;
export const filterNames = Object.keys(filterLabels) as FilterName[];

/** What a URL holds of filters. */
export interface FilterSearch extends Partial<Record<FilterName, string | undefined>> {
  q?: string | undefined;
}

/** A text of a URL's search; undefined for what is none. */
export function searchText(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads the filters of a URL's search; what cannot be used is left out. */
export function readFilters(search: Record<string, unknown>): FilterSearch {
  const read: FilterSearch = {};
  for (const name of filterNames) {
    const value = searchText(search, name);
    if (value === undefined) continue;
    if ((name === 'minLatency' || name === 'minCost') && !(Number(value) >= 0)) continue;
    if (name === 'status' && value !== 'ok' && value !== 'error') continue;
    read[name] = value;
  }
  const q = searchText(search, 'q');
  return q === undefined ? read : { ...read, q };
}
