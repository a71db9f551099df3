import type { ApiError } from '../../api/client.ts';

/** Where an import could not go on. */
export interface ImportPlace {
  /** 1-based line of the file. */
  line: number;
  /** The field, or the 1-based character of a line that is not JSON. */
  column: string | null;
}

/** The place that a refused import names; null when it names none. */
export function placeOf({ details }: Pick<ApiError, 'details'>): ImportPlace | null {
  const match = /^\/(\d+)(?:\/([^]+))?$/.exec(details[0]?.path ?? '');
  return match === null ? null : { line: Number(match[1]), column: match[2] ?? null };
}

/** One line of a text, without its end; null when there are not as many. @param line counted from 1 */
export function lineOf(text: string, line: number): string | null {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return null;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? undefined : end).replace(/\r$/, '');
}

/** A part of a line round one of its characters, and where that character stands in the part. @param character counted from 1 */
export function excerptAt(line: string, character: number, most: number): { text: string; at: number } {
  const start = Math.max(0, Math.min(character - 1 - Math.floor(most / 2), line.length - most));
  const cut = start > 0 ? '…' : '';
  return {
    text: cut + line.slice(start, start + most) + (start + most < line.length ? '…' : ''),
    at: character - 1 - start + cut.length,
  };
}
