import { jsonPointer } from '../../../platform/json/index.ts';

/**
 * The JSON pointer of a text with half a surrogate pair, which UTF-8 cannot carry; null when there is none.
 *
 * @param value parsed JSON of limited depth
 */
export function illFormedText(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, entry] of Object.entries(value)) {
    if (!key.isWellFormed()) return path;
    const found = illFormedText(entry, `${path}${jsonPointer([key])}`);
    if (found !== null) return found;
  }
  return null;
}
