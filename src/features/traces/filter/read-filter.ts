import { ServiceError } from '../../../contract/errors.ts';
import type { Filter } from '../../../contract/filter/ast.ts';
import type { FilterSubject } from '../../../contract/filter/fields.ts';
import { FilterError } from '../../../contract/filter/filter-error.ts';
import { parseFilter } from '../../../contract/filter/parse.ts';
import { asksForSource } from './origin.ts';
import { noFilter, traceFilter } from './trace-filter.ts';
import type { TraceFilter } from './trace-filter.ts';

/** The filter of a list of traces as SQL. Errors: `invalid_filter`. */
export function readTraceFilter(text: string | undefined, nowMs: number): TraceFilter {
  const filter = readFilter(text, 'traces', nowMs);
  return filter === null ? noFilter : traceFilter(filter, asksForSource(filter));
}

/**
 * The filter of a request; null without one.
 *
 * Errors: `invalid_filter` with the offsets of what is wrong.
 */
export function readFilter(text: string | undefined, on: FilterSubject, nowMs: number): Filter | null {
  if (text === undefined || text.trim() === '') return null;
  try {
    return parseFilter(text, { on, nowMs });
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const { message, start, end, suggestion } = error;
    const detail = { path: '/filter', message, start, end, ...(suggestion === undefined ? {} : { suggestion }) };
    throw new ServiceError('invalid_filter', `The filter cannot be read at character ${start + 1}: ${message}`, {
      details: [detail],
    });
  }
}
