import { SecretParts } from '../../../platform/text/index.ts';

const redaction = '[redacted]';

/**
 * A text of a foreign server if it contains no part of a secret of 8 or more characters, else `''`. Servers repeat API keys, whole or shortened, in the
 * message of a refusal. A secret shorter than 8 characters counts as a whole.
 */
export function withoutSecret(text: string, secret: string | null): string {
  if (secret === null || secret === '') return text;
  return text.includes(secret) || redactSecret(text, secret) !== text ? '' : text;
}

/**
 * A text with each run of 8 or more characters of a secret replaced by `[redacted]`. Secrets shorter than 8 characters stay: people
 * give local servers keys like `none`, which are no secrets and occur in ordinary text.
 */
export function redactSecret(text: string, secret: string | null): string {
  return secret === null ? text : new SecretParts([secret]).replacedIn(text, redaction);
}
