/** Length from which a part of a secret counts as the secret. */
const shortestPart = 8;
const redaction = '[redacted]';

/**
 * A text of a foreign server if it contains no part of a secret, else `''`. Servers repeat API keys, whole or shortened, in the
 * message of a refusal. A secret shorter than 8 characters counts as a whole.
 */
export function withoutSecret(text: string, secret: string | null): string {
  if (secret === null || secret === '') return text;
  return partsOf(secret, Math.min(shortestPart, secret.length)).some((part) => text.includes(part)) ? '' : text;
}

/**
 * A text with each run of 8 or more characters of a secret replaced by `[redacted]`. Secrets shorter than 8 characters stay: people
 * give local servers keys like `none`, which are no secrets and occur in ordinary text.
 */
export function redactSecret(text: string, secret: string | null): string {
  if (secret === null || secret.length < shortestPart) return text;
  const found: Array<[start: number, end: number]> = [];
  for (const part of new Set(partsOf(secret, shortestPart))) {
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push([at, at + part.length]);
  }
  let result = '';
  let copied = 0;
  for (const [start, end] of found.sort(([left], [right]) => left - right)) {
    // Overlapping parts are one run.
    if (start >= copied) result += text.slice(copied, start) + redaction;
    copied = Math.max(copied, end);
  }
  return result + text.slice(copied);
}

function partsOf(secret: string, length: number): string[] {
  return Array.from({ length: secret.length - length + 1 }, (_, at) => secret.slice(at, at + length));
}
