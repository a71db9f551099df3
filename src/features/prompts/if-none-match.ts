/**
 * Whether an `If-None-Match` header names the entity that the caller would be sent (RFC 9110, 13.1.2): in a list, as a weak tag, or by
 * `*`, which means any.
 */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  for (const [tag] of header.matchAll(/"[^"]*"/g)) if (tag === etag) return true;
  return false;
}
