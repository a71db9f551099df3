const shortestPart = 8;

/**
 * A text that somebody else wrote, if it holds no part of a secret, else `''`. Servers repeat keys, whole or shortened, in what they say
 * of a refusal.
 */
export function withoutSecret(text: string, secret: string | null): string {
  if (secret === null || secret === '') return text;
  const length = Math.min(shortestPart, secret.length);
  for (let at = 0; at + length <= secret.length; at++) {
    if (text.includes(secret.slice(at, at + length))) return '';
  }
  return text;
}
