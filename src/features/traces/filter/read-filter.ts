import { readListFilter } from '../../../contract/filter/read-filter.ts';
import type { ListFilter } from '../../../contract/filter/read-filter.ts';
import { asksForSource } from './origin.ts';
import { noFilter, traceFilter } from './trace-filter.ts';
import type { TraceFilter } from './trace-filter.ts';

/** The filters of a list of traces as SQL. Errors: `invalid_filter`. */
export function readTraceFilter(written: ListFilter, nowMs: number): TraceFilter {
  const filter = readListFilter(written, 'traces', nowMs);
  return filter === null ? noFilter : traceFilter(filter, asksForSource(filter));
}
