/** What stands in the URL of a trace. */
export interface TraceSearch {
  /** The span that is open. */
  span?: string | undefined;
}

/** Reads the search of a URL. */
export function readTraceSearch({ span }: Record<string, unknown>): TraceSearch {
  return typeof span === 'string' && span !== '' ? { span } : {};
}
