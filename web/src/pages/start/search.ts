/** The ways to send spans that the page shows, the first by default. */
export const ways = ['sdk', 'python', 'opentelemetry', 'vercel-ai', 'langchain', 'python-otlp', 'curl'] as const;
export type Way = (typeof ways)[number];

export interface StartSearch {
  way?: Way;
}

/** Reads the tab of the page from its URL. */
export function readStartSearch({ way }: Record<string, unknown>): StartSearch {
  const known = ways.find((one) => one === way);
  return known === undefined || known === ways[0] ? {} : { way: known };
}
