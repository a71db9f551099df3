/** Views of a span other than its content. */
const views = ['attributes', 'mapping', 'raw'] as const;
export type SpanView = 'content' | (typeof views)[number];

/** The search parameters of a trace page. */
export interface TraceSearch {
  /** The selected span; by default the page chooses one. */
  span?: string | undefined;
  /** The view of the span, its content by default; `trace` without a span: the trace itself. */
  view?: (typeof views)[number] | 'trace' | undefined;
  /** Whether the comments are open beside the trace. */
  comments?: 'open' | undefined;
  /** A comment that is shown among them. */
  comment?: string | undefined;
  /** A text that is marked in the contents, such as the search of the list. */
  q?: string | undefined;
}

/** Parses the search parameters of a URL. */
export function readTraceSearch({ span, view, q, comments, comment }: Record<string, unknown>): TraceSearch {
  const beside = {
    ...(comments === 'open' ? ({ comments } as const) : {}),
    ...(typeof comment === 'string' && comment !== '' ? { comment } : {}),
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
  };
  const known = views.find((one) => one === view);
  const shown = known === undefined ? {} : { view: known };
  if (typeof span === 'string' && span !== '') return { span, ...shown, ...beside };
  return view === 'trace' ? { view, ...beside } : { ...shown, ...beside };
}

/** Parses the search parameters of a shared trace: the selected span, or none for the trace itself. */
export function readSharedSearch({ span }: Record<string, unknown>): { span?: string | undefined } {
  return typeof span === 'string' ? { span } : {};
}
