/**
 * A URL's search as plain parameters: `?model=gpt-4o&tag=a&tag=b`. What comes more than once is a list. The router's own form writes
 * JSON, which nobody can read in a link.
 */
export function parseSearch(text: string): Record<string, string | string[]> {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = search[name];
    search[name] = before === undefined ? value : [before, value].flat();
  }
  return search;
}

/** The other way round; undefined and empty values are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'string' || typeof one === 'number') parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * A page's search as it reads it, and nothing else: the router would hand on what `read` leaves out, and keep it in the URL.
 *
 * @param read gives what of a URL's search the page can use
 */
export function readExactly<Read extends (search: Record<string, unknown>) => object>(read: Read): Read {
  return ((search) => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  })) as Read;
}
