import { ServiceError } from '../errors.ts';
import type { FieldTerm, Filter } from './ast.ts';
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

/**
 * The field that a text names, with its key, as the terms of a filter do: `model`, `metadata."a.b".c`.
 *
 * Errors: `invalid_filter` for a text that cannot be read, with the nearest name of a field; null for one that is more or other than a name.
 */
export function readFieldName(name: string, on: FilterSubject, nowMs: number): FieldTerm | null {
  const term = readFilter(`${name}:*`, on, nowMs);
  // A name with a colon in it is a term with a value.
  return term?.type === 'field' && term.values === null ? term : null;
}

/** As {@link readFieldName}; null also for a text that cannot be read. */
export function findFieldName(name: string, on: FilterSubject, nowMs: number): FieldTerm | null {
  try {
    return readFieldName(name, on, nowMs);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
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
