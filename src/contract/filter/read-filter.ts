import { ServiceError } from '../errors.ts';
import type { Filter } from './ast.ts';
import type { FilterSubject } from './fields.ts';
import { FilterError } from './filter-error.ts';
import { parseFilter } from './parse.ts';

/**
 * The filter of a request; null without one.
 *
 * @param path where the text stands in the request, a JSON pointer
 * Errors: `invalid_filter` with the offsets of what is wrong.
 */
export function readFilter(text: string | undefined, on: FilterSubject, nowMs: number, path = '/filter'): Filter | null {
  if (text === undefined || text.trim() === '') return null;
  try {
    return parseFilter(text, { on, nowMs });
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const { message, start, end, suggestion } = error;
    const detail = { path, message, start, end, ...(suggestion === undefined ? {} : { suggestion }) };
    const which = path === '/view' ? 'The filter of the view' : 'The filter';
    throw new ServiceError('invalid_filter', `${which} cannot be read at character ${start + 1}: ${message}`, {
      details: [detail],
    });
  }
}

/** The filters that a request to a list names: its own, and that of its saved view. */
export interface ListFilter {
  filter?: string | undefined;
  /** The filter of the saved view, as it was stored. */
  viewFilter?: string | undefined;
}

/**
 * What must be met by the rows of a list: its `filter` and the filter of its saved view (docs/semantics.md, "Saved views"); null without both. Their terms stand
 * side by side, as if both had been written into one filter.
 *
 * Errors: `invalid_filter`, with the path `/view` for that of the view, which an earlier release may have stored.
 */
export function readListFilter({ filter, viewFilter }: ListFilter, on: FilterSubject, nowMs: number): Filter | null {
  const own = readFilter(filter, on, nowMs);
  const ofView = readFilter(viewFilter, on, nowMs, '/view');
  if (own === null || ofView === null) return own ?? ofView;
  return { type: 'all', terms: [own, ofView].flatMap((one) => (one.type === 'all' ? one.terms : [one])) };
}
