import type { ApiError } from '../../api/client.ts';

/** The position of an error in an imported file. */
export interface ImportPlace {
  /** 1-based line of the file. */
  line: number;
  /** The field, or the 1-based character of invalid JSON. */
  column: string | null;
}

/** The position named by an import error; null if it names none. */
export function placeOf({ details }: Pick<ApiError, 'details'>): ImportPlace | null {
  const match = /^\/(\d+)(?:\/([^]+))?$/.exec(details[0]?.path ?? '');
  return match === null ? null : { line: Number(match[1]), column: match[2] ?? null };
}
