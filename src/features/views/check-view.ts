import { ServiceError } from '../../contract/errors.ts';
import { readFilter } from '../../contract/filter/read-filter.ts';
import { listSpansQuery } from '../../contract/spans.ts';
import { listTracesQuery } from '../../contract/traces.ts';
import { filterSubjectOf } from '../../contract/views.ts';
import type { ViewRecord, ViewSubject } from '../../contract/views.ts';

/** The orders of each list; one of sessions has one alone. */
const sorts = { spans: listSpansQuery.shape.sort, traces: listTracesQuery.shape.sort, sessions: null } as const;

/** Throws `invalid_filter` for a filter that is none of its list, `invalid_request` for such an order. */
export function checkView({ on, filter, sort }: Pick<ViewRecord, 'on' | 'filter' | 'sort'>, nowMs: number): void {
  readFilter(filter, filterSubjectOf(on), nowMs);
  if (sort !== null) checkSort(on, sort);
}

function checkSort(on: ViewSubject, sort: string): void {
  const checked = sorts[on]?.safeParse(sort);
  if (checked?.success) return;
  const [issue] = checked?.error.issues ?? [];
  const message = issue?.message ?? 'must be null: sessions are listed by their last activity';
  throw new ServiceError('invalid_request', `Send an order that the list of ${on} takes as sort, or null for its default.`, {
    details: [{ path: '/sort', message }],
  });
}
