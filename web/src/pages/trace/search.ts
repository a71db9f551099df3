/** Views of a span beside its content. */
const views = ['attributes', 'mapping', 'raw'] as const;
export type SpanView = 'content' | (typeof views)[number];

/** What stands in the URL of a trace. */
export interface TraceSearch {
  /** The span that is open. */
  span?: string | undefined;
  /** How it is shown; its content when left out. */
  view?: (typeof views)[number] | undefined;
}

/** Reads the search of a URL. */
export function readTraceSearch({ span, view }: Record<string, unknown>): TraceSearch {
  if (typeof span !== 'string' || span === '') return {};
  const known = views.find((one) => one === view);
  return known === undefined ? { span } : { span, view: known };
}
