import { secretPlaceholder } from '../../../contract/simulations.ts';

/** A URL before its query, and its query with the question mark; empty without one. */
export function splitAtQuery(url: string): [before: string, query: string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)];
}

/** The URL with its secrets in the query, percent-encoded. Saving has checked that there is a value for each. */
export function filledUrl(url: string, named: Readonly<Record<string, string>>): string {
  const [before, query] = splitAtQuery(url);
  return before + query.replaceAll(secretPlaceholder, (_all, name: string) => encodeURIComponent(named[name] ?? ''));
}
