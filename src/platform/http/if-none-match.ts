/**
 * Whether an `If-None-Match` header matches an ETag (RFC 9110, 13.1.2). The header may be a list, contain weak tags, or be `*`.
 */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  for (const [tag] of header.matchAll(/"[^"]*"/g)) if (tag === etag) return true;
  return false;
}
