/** The search parameters of a rule. */
export interface AlertSearch {
  /** The rule by default. */
  panel?: 'deliveries' | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readAlertSearch(search: Record<string, unknown>): AlertSearch {
  return search['panel'] === 'deliveries' ? { panel: 'deliveries' } : {};
}
