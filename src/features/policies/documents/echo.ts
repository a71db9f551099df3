import { cutText } from '../../../platform/text/index.ts';

/** A value as messages show it: as JSON, up to 80 characters. */
export function echo(value: unknown): string {
  return cutText(JSON.stringify(value) ?? String(value), 80, '…');
}
