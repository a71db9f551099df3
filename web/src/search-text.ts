/**
 * Parses a query string as plain parameters: `?model=gpt-4o&tag=a&tag=b`. Repeated parameters become a list. The router's default
 * format is JSON, which is hard to read in a link.
 */
export function parseSearch(text: string): Record<string, string | string[]> {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = search[name];
    search[name] = before === undefined ? value : [before, value].flat();
  }
  return search;
}

/** The inverse of {@link parseSearch}. Undefined values are dropped. */
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
 * Makes `read` drop unknown parameters: the router keeps parameters that a validator does not return.
 *
 * @param read returns the valid parameters of a page
 */
export function readExactly<Read extends (search: Record<string, unknown>) => object>(read: Read): Read {
  return ((search) => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  })) as Read;
}
