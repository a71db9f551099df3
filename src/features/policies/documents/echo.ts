import { cutText } from '../../../platform/text/index.ts';

/** Characters of a value in a message. */
export const longestEcho = 80;

/** A value as messages show it: as JSON, up to 80 characters. */
export function echo(value: unknown): string {
  return cutText(JSON.stringify(value) ?? String(value), longestEcho, '…');
}
