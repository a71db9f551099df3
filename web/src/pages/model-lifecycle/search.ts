/** The search parameters of the model lifecycle. */
export interface LifecycleSearch {
  /** The findings by default. */
  view?: 'catalogue' | undefined;
  /** What is searched for in the catalogue. */
  q?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readLifecycleSearch(search: Record<string, unknown>): LifecycleSearch {
  const { view, q } = search;
  return {
    ...(view === 'catalogue' ? { view } : {}),
    ...(typeof q === 'string' && q.trim() !== '' ? { q } : {}),
  };
}
