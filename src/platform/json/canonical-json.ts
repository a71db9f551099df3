import canonicalize from 'canonicalize';

/**
 * The RFC 8785 (JCS) form of a JSON value. Errors: an `Error` for what I-JSON cannot hold: unpaired surrogates, numbers that are not finite.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('the value is not JSON');
  return text;
}
