/** Views of a span other than its content. */
const views = ['attributes', 'mapping', 'raw'] as const;
export type SpanView = 'content' | (typeof views)[number];

/** The search parameters of a trace page. */
export interface TraceSearch {
  /** The selected span. */
  span?: string | undefined;
  /** The view of the span; its content by default. */
  view?: (typeof views)[number] | undefined;
}

/** Parses the search parameters of a URL. */
export function readTraceSearch({ span, view }: Record<string, unknown>): TraceSearch {
  if (typeof span !== 'string' || span === '') return {};
  const known = views.find((one) => one === view);
  return known === undefined ? { span } : { span, view: known };
}
